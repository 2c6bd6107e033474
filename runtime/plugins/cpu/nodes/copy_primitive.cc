#include "runtime/plugins/cpu/nodes/copy_primitive.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "jit/kernels/copy.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

namespace {

// As wide as the widest element.
constexpr int64_t kZeroBits = 0;

class CopyPrimitive final : public Primitive {
 public:
  struct Part {
    ElementMove move;
    jit::CopyPlan plan;
    // Items of the parts before it.
    int64_t first_item = 0;
  };

  CopyPrimitive(std::vector<Part> parts, std::string isa) : parts_(std::move(parts)), isa_(std::move(isa)) {
    for (Part& part : parts_) {
      part.first_item = items_;
      items_ += part.plan.work_items();
    }
  }

  void Execute(const ExecutionArgs& args) const override {
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(items_, 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int) {
      const executor::ItemRange range = split.Range(chunk);
      for (const Part& part : parts_) {
        const int64_t begin = std::max<int64_t>(range.begin - part.first_item, 0);
        const int64_t end = std::min(range.end - part.first_item, part.plan.work_items());
        if (begin >= end) continue;
        const void* source = part.move.input == ElementMove::kZero ? &kZeroBits : args.inputs[part.move.input];
        part.plan.Run(static_cast<const char*>(source) + part.move.input_offset,
                      static_cast<char*>(args.outputs[part.move.output]) + part.move.output_offset, begin, end);
      }
    });
  }

  std::string kernel_name() const override {
    return parts_.empty() ? "copy" : std::string(parts_.front().plan.kernel_name());
  }
  std::string isa_name() const override { return isa_; }

 private:
  std::vector<Part> parts_;
  int64_t items_ = 0;
  const std::string isa_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<const Primitive>> MakeCopyPrimitive(const std::vector<ElementMove>& moves,
                                                                   const NodeContext& context) {
  std::vector<CopyPrimitive::Part> parts;
  for (const ElementMove& move : moves) {
    BURIN_ASSIGN_OR_RETURN(jit::CopyPlan plan, jit::CopyPlan::Create(move.spec, context.target, *context.code_cache));
    if (plan.work_items() > 0) parts.push_back({move, std::move(plan)});
  }
  return std::make_unique<CopyPrimitive>(std::move(parts), std::string(Name(context.target.level())));
}

absl::StatusOr<ElementMove> MoveBetween(const ValueDesc& from, const ValueDesc& to) {
  ElementMove move;
  if (IsPacked(from.type)) {
    if (!SameBytes(from, to)) {
      return absl::UnimplementedError(absl::StrCat(
          "Elements of less than a byte are not moved to another layout: ", ToString(from), " to ", ToString(to)));
    }
    BURIN_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(from));
    move.spec = {1, {{bytes, 1, 1}}};
    return move;
  }
  move.spec.element_bytes = static_cast<int>(BitWidth(from.type)) / 8;
  const ir::ByteStrides source = StridesOf(from);
  const ir::ByteStrides destination = StridesOf(to);
  for (size_t d = 0; d < from.shape.size(); ++d) {
    move.spec.dims.push_back({from.shape[d], source[d], destination[d]});
  }
  return move;
}

}  // namespace burin::cpu

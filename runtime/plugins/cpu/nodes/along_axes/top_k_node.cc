#include "runtime/plugins/cpu/nodes/along_axes/top_k_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/shape.h"
#include "jit/kernels/top_k/top_k.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

namespace {

class TopKPrimitive final : public Primitive {
 public:
  TopKPrimitive(jit::TopKKernel kernel, std::string isa) : kernel_(std::move(kernel)), isa_(std::move(isa)) {}

  void Execute(const ExecutionArgs& args) const override {
    void* const indices = args.outputs.size() > 1 ? args.outputs[1] : nullptr;
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(kernel_.work_items(), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int) {
      const executor::ItemRange range = split.Range(chunk);
      kernel_.Run(args.inputs[0], args.outputs[0], indices, range.begin, range.end);
    });
  }

  std::string kernel_name() const override {
    const absl::string_view name = kernel_.kernel_name();
    return name.empty() ? "top_k" : std::string(name);
  }
  std::string isa_name() const override { return isa_; }

 private:
  const jit::TopKKernel kernel_;
  const std::string isa_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> TopKNode::Create(const ir::Node& node, const NodeContext&) {
  const ElementType type = node.output(0).type;
  if (type != ElementType::kF32 && type != ElementType::kI32) {
    return absl::UnimplementedError(absl::StrCat("no kernel selects elements of ", Name(type)));
  }
  return std::shared_ptr<const Node>(new TopKNode(node.attributes_as<ir::TopKAttributes>()));
}

absl::StatusOr<jit::TopKSpec> TopKNode::SpecOf(const NodeValues& values) const {
  const ir::Shape& data = values.inputs[0].desc.shape;
  const ir::Shape& selected = values.outputs[0].shape;
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         ir::WrapAxis("TopK_c2", attributes_.axis, static_cast<int64_t>(data.size())));
  jit::TopKSpec spec;
  spec.type = values.inputs[0].desc.type;
  spec.index_type = attributes_.index_element_type;
  spec.smallest = attributes_.mode == ir::TopKMode::kMin;
  spec.order = attributes_.sort == ir::TopKSort::kIndex ? jit::TopKOrder::kIndex : jit::TopKOrder::kValue;
  // Products of an empty tensor's dimensions may be beyond int64.
  if (std::find(selected.begin(), selected.end(), 0) != selected.end()) {
    spec.outer = 0;
  } else {
    const ir::AxisSplit split = ir::SplitAtAxis(data, axis);
    spec.outer = split.outer;
    spec.length = split.length;
    spec.inner = split.inner;
    spec.k = selected[static_cast<size_t>(axis)];
  }
  spec.SetDenseStrides();
  BURIN_RETURN_IF_ERROR(spec.Validate());
  return spec;
}

std::vector<NodeCandidate> TopKNode::Candidates(const NodeValues& values, const NodeContext&) const {
  if (!SpecOf(values).ok()) return {};
  return {RowMajorCandidate(values)};
}

absl::StatusOr<std::unique_ptr<const Primitive>> TopKNode::CreatePrimitive(const NodeValues& values,
                                                                           const NodeContext& context) const {
  BURIN_ASSIGN_OR_RETURN(const jit::TopKSpec spec, SpecOf(values));
  BURIN_ASSIGN_OR_RETURN(jit::TopKKernel kernel, jit::TopKKernel::Create(spec, context.target, *context.code_cache));
  return std::make_unique<TopKPrimitive>(std::move(kernel), std::string(Name(context.target.level())));
}

}  // namespace burin::cpu

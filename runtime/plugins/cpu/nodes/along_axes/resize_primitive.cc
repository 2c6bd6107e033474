#include "runtime/plugins/cpu/nodes/along_axes/resize_primitive.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/resize/resize.h"
#include "jit/kernels/resize/resize_plan.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"

namespace burin::cpu {

namespace {

// Of each part of scratch memory.
constexpr int64_t kAlignment = 64;

int64_t Aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

class ResizePrimitive final : public Primitive {
 public:
  ResizePrimitive(jit::ResizeKernel kernel, std::shared_ptr<const DenseEpilogue> epilogue, int64_t columns,
                  std::string isa)
      : kernel_(std::move(kernel)), epilogue_(std::move(epilogue)), columns_(columns), isa_(std::move(isa)) {}

  void Execute(const ExecutionArgs& args) const override {
    jit::ResizeOperands operands;
    operands.input = args.inputs[0];
    if (epilogue_ == nullptr) {
      operands.output = args.outputs[0];
    } else {
      auto* const places = static_cast<jit::EpiloguePlace*>(args.scratch);
      epilogue_->Resolve(args.inputs, args.outputs, columns_, places);
      operands.places = places;
    }
    char* const scratch = static_cast<char*>(args.scratch) + PlacesBytes();
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(kernel_.work_items(), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int member) {
      jit::ResizeOperands own = operands;
      own.scratch = scratch + member * Aligned(kernel_.scratch_bytes());
      const executor::ItemRange range = split.Range(chunk);
      kernel_.Run(own, range.begin, range.end);
    });
  }

  int64_t ScratchBytes(int members) const override {
    return PlacesBytes() + members * Aligned(kernel_.scratch_bytes());
  }

  std::string kernel_name() const override {
    const absl::string_view name = kernel_.kernel_name();
    return name.empty() ? "resize" : std::string(name);
  }
  std::string isa_name() const override { return isa_; }

 private:
  int64_t PlacesBytes() const {
    if (epilogue_ == nullptr) return 0;
    return Aligned(static_cast<int64_t>(epilogue_->operand_count() * sizeof(jit::EpiloguePlace)));
  }

  const jit::ResizeKernel kernel_;
  const std::shared_ptr<const DenseEpilogue> epilogue_;
  const int64_t columns_;
  const std::string isa_;
};

// Neighbouring dimensions in memory: one that changes, or some that do not.
struct Segment {
  int64_t size = 1;
  // Null where it stays as it is.
  const ResampledDimension* dimension = nullptr;
};

std::vector<Segment> SegmentsOf(const ir::Shape& input, Layout layout,
                                const std::vector<ResampledDimension>& dimensions) {
  std::vector<size_t> order(input.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (layout == Layout::kChannelsLast) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  std::vector<Segment> segments;
  for (const size_t d : order) {
    if (!dimensions[d].is_unchanged) {
      segments.push_back({input[d], &dimensions[d]});
    } else if (!segments.empty() && segments.back().dimension == nullptr) {
      segments.back().size *= input[d];
    } else if (input[d] != 1) {
      segments.push_back({input[d], nullptr});
    }
  }
  return segments;
}

jit::ResizeAxis AxisOf(const Segment& segment) {
  if (segment.dimension == nullptr) return jit::ResizeAxis::Unchanged(segment.size);
  jit::ResizeAxis axis;
  axis.input = segment.size;
  axis.taps = segment.dimension->taps;
  return axis;
}

}  // namespace

absl::StatusOr<jit::ResizeSpec> ResizeSpecOf(ElementType type, const ir::Shape& input, const ir::Shape& output,
                                             Layout layout, const std::vector<ResampledDimension>& dimensions) {
  jit::ResizeSpec spec;
  spec.type = type;
  // Products of an empty tensor's dimensions may be beyond int64.
  if (std::find(output.begin(), output.end(), 0) != output.end()) {
    spec.batch = 0;
    spec.SetChannelsInnermost();
    return spec;
  }
  std::vector<Segment> segments = SegmentsOf(input, layout, dimensions);
  if (segments.back().dimension == nullptr) {
    spec.channels = segments.back().size;
    segments.pop_back();
  }
  if (segments.front().dimension == nullptr) {
    spec.batch = segments.front().size;
    segments.erase(segments.begin());
  }
  if (segments.size() > spec.axes.size()) {
    return absl::UnimplementedError(absl::StrCat("no kernel resamples along ", segments.size(), " axes"));
  }
  const size_t first = spec.axes.size() - segments.size();
  for (size_t i = 0; i < segments.size(); ++i) spec.axes[first + i] = AxisOf(segments[i]);
  spec.SetChannelsInnermost();
  return spec;
}

absl::StatusOr<std::unique_ptr<const Primitive>> MakeResizePrimitive(const jit::ResizeSpec& spec,
                                                                     std::shared_ptr<const DenseEpilogue> epilogue,
                                                                     const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(jit::ResizeKernel kernel,
                         jit::ResizeKernel::Create(spec, context.target, *context.code_cache,
                                                   epilogue == nullptr ? nullptr : &epilogue->emitter()));
  const bool by_row = kernel.plan().way == jit::ResizeWay::kResampleRows;
  const int64_t columns = by_row ? spec.axes.back().output() : spec.channels;
  return std::make_unique<ResizePrimitive>(std::move(kernel), std::move(epilogue), columns,
                                           std::string(Name(context.target.level())));
}

}  // namespace burin::cpu

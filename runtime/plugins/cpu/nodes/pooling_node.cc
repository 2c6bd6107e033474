#include "runtime/plugins/cpu/nodes/pooling_node.h"

#include <cstddef>
#include <string>
#include <utility>

#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/ops/avg_pool.h"
#include "ir/ops/max_pool.h"
#include "ir/shape.h"
#include "jit/kernels/pooling/pooling.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/spatial_axes.h"

namespace burin::cpu {

namespace {

class PoolingPrimitive final : public Primitive {
 public:
  PoolingPrimitive(jit::PoolingKernel kernel, std::string isa) : kernel_(std::move(kernel)), isa_(std::move(isa)) {}

  void Execute(const ExecutionArgs& args) const override {
    jit::PoolingOperands operands;
    operands.input = args.inputs[0];
    operands.output = args.outputs[0];
    operands.indices = args.outputs.size() > 1 ? args.outputs[1] : nullptr;
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(kernel_.work_items(), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int) {
      const executor::ItemRange range = split.Range(chunk);
      kernel_.Run(operands, range.begin, range.end);
    });
  }

  std::string kernel_name() const override { return std::string(kernel_.kernel_name()); }
  std::string isa_name() const override { return isa_; }

 private:
  const jit::PoolingKernel kernel_;
  const std::string isa_;
};

// Returns how positions in a value of `shape` count: within the dimensions from `axis` on, row-major.
jit::PoolingIndices IndicesOf(const ir::Shape& shape, int64_t axis, ElementType type) {
  const size_t first = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis);
  const std::vector<int64_t> strides = ir::RowMajorStrides(shape);
  const auto step = [&](size_t d) { return d >= first ? strides[d] : 0; };
  jit::PoolingIndices indices;
  indices.type = type;
  indices.batch_step = step(0);
  indices.channel_step = step(1);
  const size_t rank = shape.size() - 2;
  for (size_t i = 0; i < rank; ++i) indices.axis_steps[kMostSpatialAxes - rank + i] = step(2 + i);
  return indices;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> PoolingNode::CreateMax(const ir::Node& node, const NodeContext&) {
  const auto& attributes = node.attributes_as<ir::MaxPoolAttributes>();
  std::shared_ptr<PoolingNode> made(new PoolingNode(attributes, attributes.kernel));
  made->index_axis_ = attributes.axis;
  return made;
}

absl::StatusOr<std::shared_ptr<const Node>> PoolingNode::CreateAverage(const ir::Node& node, const NodeContext&) {
  const auto& attributes = node.attributes_as<ir::AvgPoolAttributes>();
  std::shared_ptr<PoolingNode> made(new PoolingNode(attributes, attributes.kernel));
  made->kind_ = jit::PoolingKind::kAverage;
  made->count_padding_ = !attributes.exclude_pad;
  return made;
}

std::vector<NodeCandidate> PoolingNode::Candidates(const NodeValues& values, const NodeContext&) const {
  return ChannelsLastCandidate(values);
}

absl::StatusOr<std::unique_ptr<const Primitive>> PoolingNode::CreatePrimitive(const NodeValues& values,
                                                                              const NodeContext& context) const {
  const ir::Shape& input = values.inputs[0].desc.shape;
  BURIN_ASSIGN_OR_RETURN(const auto axes, SpatialAxes(window_, kernel_, input, values.outputs[0].shape));
  jit::PoolingSpec spec;
  spec.kind = kind_;
  spec.count_padding = count_padding_;
  spec.batch = input[0];
  spec.channels = input[1];
  for (size_t i = 0; i < kMostSpatialAxes; ++i) {
    jit::PoolingAxis& axis = spec.axes[i];
    axis.input = axes[i].input;
    axis.output = axes[i].output;
    axis.kernel = axes[i].window.kernel;
    axis.stride = axes[i].window.stride;
    axis.dilation = axes[i].window.dilation;
    axis.pad_begin = axes[i].window.pad_begin;
    axis.pad_end = axes[i].window.pad_end;
  }
  spec.SetDenseStrides();
  if (values.outputs.size() > 1) spec.indices = IndicesOf(input, index_axis_, values.outputs[1].type);
  BURIN_ASSIGN_OR_RETURN(jit::PoolingKernel kernel,
                         jit::PoolingKernel::Create(spec, context.target, *context.code_cache));
  return std::make_unique<PoolingPrimitive>(std::move(kernel), std::string(Name(context.target.level())));
}

}  // namespace burin::cpu

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
#include "runtime/plugins/cpu/nodes/spatial_axes.h"

namespace burin::cpu {

namespace {

class PoolingDenseKernel final : public DenseKernel {
 public:
  explicit PoolingDenseKernel(jit::PoolingKernel kernel) : kernel_(std::move(kernel)) {}

  int64_t work_items() const override { return kernel_.work_items(); }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    kernel_.Run({args.input, args.output, args.indices, args.places}, begin, end);
  }
  std::string name() const override { return std::string(kernel_.kernel_name()); }

 private:
  const jit::PoolingKernel kernel_;
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

absl::StatusOr<std::shared_ptr<const Node>> PoolingNode::CreateMax(const ir::Node& op, DenseStep step,
                                                                   const NodeContext& context) {
  const auto& attributes = op.attributes_as<ir::MaxPoolAttributes>();
  std::shared_ptr<PoolingNode> made(new PoolingNode(attributes, attributes.kernel, std::move(step), context));
  made->index_axis_ = attributes.axis;
  return made;
}

absl::StatusOr<std::shared_ptr<const Node>> PoolingNode::CreateAverage(const ir::Node& op, DenseStep step,
                                                                       const NodeContext& context) {
  const auto& attributes = op.attributes_as<ir::AvgPoolAttributes>();
  std::shared_ptr<PoolingNode> made(new PoolingNode(attributes, attributes.kernel, std::move(step), context));
  made->kind_ = jit::PoolingKind::kAverage;
  made->count_padding_ = !attributes.exclude_pad;
  return made;
}

absl::StatusOr<DensePasses> PoolingNode::MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
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
                         jit::PoolingKernel::Create(spec, context.target, *context.code_cache, epilogue));
  DensePasses passes;
  passes.push_back(std::make_unique<PoolingDenseKernel>(std::move(kernel)));
  return passes;
}

}  // namespace burin::cpu

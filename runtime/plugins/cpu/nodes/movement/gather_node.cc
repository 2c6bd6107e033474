#include "runtime/plugins/cpu/nodes/movement/gather_node.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/gather.h"
#include "jit/kernels/gather/gather.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

bool IsEmpty(const ir::Shape& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

class GatherPrimitive final : public Primitive {
 public:
  GatherPrimitive(jit::GatherKernel kernel, std::string isa) : kernel_(std::move(kernel)), isa_(std::move(isa)) {}

  // The rows of indices outside of the data are zeros, so that there is no error to tell.
  void Execute(const ExecutionArgs& args) const override {
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(kernel_.work_items(), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int) {
      const executor::ItemRange range = split.Range(chunk);
      kernel_.Run(args.inputs[0], args.inputs[1], args.outputs[0], range.begin, range.end);
    });
  }

  std::string kernel_name() const override {
    const absl::string_view name = kernel_.kernel_name();
    return name.empty() ? "gather" : std::string(name);
  }
  std::string isa_name() const override { return isa_; }

 private:
  const jit::GatherKernel kernel_;
  const std::string isa_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> GatherNode::Create(const ir::Node& node, const NodeContext&) {
  BURIN_RETURN_IF_ERROR(CheckWholeBytes(node.output(0).type));
  return std::shared_ptr<const Node>(new GatherNode(&node));
}

std::vector<NodeCandidate> GatherNode::Candidates(const NodeValues& values, const NodeContext& context) const {
  return reference_.Candidates(values, context);
}

absl::StatusOr<std::unique_ptr<const Primitive>> GatherNode::CreatePrimitive(const NodeValues& values,
                                                                             const NodeContext& context) const {
  const ValueDesc& data = values.inputs[0].desc;
  const ValueDesc& indices = values.inputs[1].desc;
  const absl::StatusOr<std::vector<int64_t>> axis_input = ConstantInts(values, 2);
  const bool has_kernel = indices.type == ElementType::kI32 || indices.type == ElementType::kI64;
  if (!axis_input.ok() || !has_kernel) return reference_.CreatePrimitive(values, context);
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         ir::WrapAxis("Gather_c2", axis_input->front(), static_cast<int64_t>(data.shape.size())));
  int64_t batch_dims = node_->attributes_as<ir::GatherAttributes>().batch_dims;
  if (batch_dims < 0) batch_dims += static_cast<int64_t>(indices.shape.size());
  const jit::GatherSpec spec = GatherSpecOf(data.type, indices.type, data.shape, indices.shape, axis, batch_dims);
  BURIN_ASSIGN_OR_RETURN(jit::GatherKernel kernel,
                         jit::GatherKernel::Create(spec, context.target, *context.code_cache));
  return std::make_unique<GatherPrimitive>(std::move(kernel), std::string(Name(context.target.level())));
}

jit::GatherSpec GatherSpecOf(ElementType type, ElementType index_type, const ir::Shape& data, const ir::Shape& indices,
                             int64_t axis, int64_t batch_dims) {
  jit::GatherSpec spec;
  spec.index_type = index_type;
  ir::Shape rows = data;
  rows[axis] = 1;
  // Products of an empty tensor's dimensions may be beyond int64.
  if (IsEmpty(rows) || IsEmpty(indices)) return spec;
  spec.batch = ir::ProductOf(data, 0, batch_dims);
  spec.outer = ir::ProductOf(data, batch_dims, axis);
  spec.count = ir::ProductOf(indices, batch_dims, static_cast<int64_t>(indices.size()));
  spec.extent = data[axis];
  spec.row_bytes = ir::SplitAtAxis(data, axis).inner * (BitWidth(type) / 8);
  spec.SetDenseStrides();
  return spec;
}

}  // namespace burin::cpu

#include "runtime/plugins/cpu/nodes/along_axes/cum_sum_node.h"

#include <algorithm>
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
#include "jit/kernels/cumulative/cumulative.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

class CumSumPrimitive final : public Primitive {
 public:
  CumSumPrimitive(jit::CumulativeKernel kernel, std::string isa) : kernel_(std::move(kernel)), isa_(std::move(isa)) {}

  void Execute(const ExecutionArgs& args) const override {
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(kernel_.work_items(), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int) {
      const executor::ItemRange range = split.Range(chunk);
      kernel_.Run(args.inputs[0], args.outputs[0], nullptr, range.begin, range.end);
    });
  }

  std::string kernel_name() const override {
    const absl::string_view name = kernel_.kernel_name();
    return name.empty() ? "cumulative" : std::string(name);
  }
  std::string isa_name() const override { return isa_; }

 private:
  const jit::CumulativeKernel kernel_;
  const std::string isa_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> CumSumNode::Create(const ir::Node& node, const NodeContext&) {
  jit::CumulativeSpec spec;
  spec.type = node.output(0).type;
  BURIN_RETURN_IF_ERROR(spec.Validate());
  return std::shared_ptr<const Node>(new CumSumNode(node.attributes_as<ir::CumSumAttributes>()));
}

absl::StatusOr<jit::CumulativeSpec> CumSumNode::SpecOf(const NodeValues& values) const {
  const ir::Shape& shape = values.outputs[0].shape;
  int64_t axis = 0;
  if (values.inputs.size() > 1 && values.inputs[1].exists) {
    BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> given, ConstantInts(values, 1));
    axis = given.front();
  }
  BURIN_ASSIGN_OR_RETURN(axis, ir::WrapAxis("CumSum_c2", axis, static_cast<int64_t>(shape.size())));
  jit::CumulativeSpec spec;
  spec.type = values.outputs[0].type;
  spec.exclusive = attributes_.exclusive;
  spec.reverse = attributes_.reverse;
  // Products of an empty tensor's dimensions may be beyond int64.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    spec.outer = 0;
  } else {
    const ir::AxisSplit split = ir::SplitAtAxis(shape, axis);
    spec.outer = split.outer;
    spec.length = split.length;
    spec.inner = split.inner;
  }
  spec.SetDenseStrides();
  BURIN_RETURN_IF_ERROR(spec.Validate());
  return spec;
}

std::vector<NodeCandidate> CumSumNode::Candidates(const NodeValues& values, const NodeContext&) const {
  if (!SpecOf(values).ok()) return {};
  return {RowMajorCandidate(values)};
}

bool CumSumNode::MayRunInPlace(const NodeValues&, int input, int output) const { return input == 0 && output == 0; }

absl::StatusOr<std::unique_ptr<const Primitive>> CumSumNode::CreatePrimitive(const NodeValues& values,
                                                                             const NodeContext& context) const {
  BURIN_ASSIGN_OR_RETURN(const jit::CumulativeSpec spec, SpecOf(values));
  BURIN_ASSIGN_OR_RETURN(jit::CumulativeKernel kernel,
                         jit::CumulativeKernel::Create(spec, context.target, *context.code_cache));
  return std::make_unique<CumSumPrimitive>(std::move(kernel), std::string(Name(context.target.level())));
}

}  // namespace burin::cpu

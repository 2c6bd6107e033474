// Subgraph: operations that one generated kernel computes, as a body.
//
// The inputs are the body's parameters, the outputs its results, both in order and of any types and shapes. The body is
// closed and without effects, so that the node is as free to be moved or dropped as what it holds. Its arithmetic is
// that of the body, its traffic its own inputs and outputs alone: what lies between stays in registers.
//   Subgraph_c1: the node has an input for each parameter of the body, and the body has at least one result.
//   Subgraph_c2: the body has no operation that is impure or whose shape depends on values.
//   Subgraph_c3: the body accepts the inputs.
#include "ir/ops/subgraph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

absl::Status CheckBody(const InferContext& context) {
  const Model& body = *context.bodies()[0];
  const int64_t parameters = static_cast<int64_t>(body.parameters().size());
  if (parameters != context.input_count()) {
    return absl::InvalidArgumentError(absl::StrCat("Subgraph_c1: The body has another number of parameters: ",
                                                   parameters, " for ", context.input_count(), " inputs"));
  }
  if (body.results().empty()) return absl::InvalidArgumentError("Subgraph_c1: The body has no results");
  for (const NodeId id : body.NodeIds()) {
    const Node& node = body.node(id);
    // Which is impure lest a pass drops one that nobody reads.
    if (node.code() == OpCode::kParameter) continue;
    if (!node.op().Has(kImpure) && !node.op().Has(kDataDependentShape)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("Subgraph_c2: An operation that a body may not hold: '", node.name(), "' (", node.op().name, ")"));
  }
  return absl::OkStatus();
}

absl::Status InferSubgraph(InferContext& context) {
  BURIN_RETURN_IF_ERROR(CheckBody(context));
  std::vector<const ValueInfo*> parameters;
  for (int64_t i = 0; i < context.input_count(); ++i) parameters.push_back(&context.input(i));
  absl::StatusOr<std::vector<ValueInfo>> results = context.bodies()[0]->InferResults(parameters);
  if (!results.ok()) return WithContext(results.status(), "Subgraph_c3: In the body");
  context.outputs() = *std::move(results);
  return absl::OkStatus();
}

absl::Status ReferenceSubgraph(ReferenceContext& context) {
  BodyRunner* const runner = context.environment().body_runner;
  if (runner == nullptr) return absl::FailedPreconditionError("Subgraph needs a runner of bodies");
  std::vector<Tensor> inputs;
  for (int64_t i = 0; i < context.input_count(); ++i) inputs.push_back(context.input(i));
  BURIN_ASSIGN_OR_RETURN(std::vector<Tensor> results, runner->Run(*context.bodies()[0], inputs));
  for (size_t i = 0; i < results.size(); ++i) context.SetOutput(static_cast<int64_t>(i), std::move(results[i]));
  return absl::OkStatus();
}

Cost CostOfSubgraph(const CostContext& context) {
  Cost cost{0, context.InputBytes(), context.OutputBytes()};
  if (context.bodies().empty()) return cost;
  std::vector<const ValueInfo*> parameters;
  for (int64_t i = 0; i < context.input_count(); ++i) parameters.push_back(&context.input(i));
  const absl::StatusOr<double> flops = SubgraphFlops(*context.bodies()[0], parameters);
  if (flops.ok()) cost.flops = *flops;
  return cost;
}

// Returns the arithmetic of a body whose shapes are all static; nodes of which one is not count nothing.
double FlopsOf(const Model& body) {
  double flops = 0;
  for (const NodeId id : body.NodeIds()) {
    const Node& node = body.node(id);
    // These are there before the kernel runs, or only name what goes in and out.
    if (node.code() == OpCode::kConstant || node.code() == OpCode::kParameter || node.code() == OpCode::kResult) {
      continue;
    }
    std::vector<const ValueInfo*> inputs;
    for (const Value& input : node.inputs()) inputs.push_back(input.exists() ? &body.info(input) : nullptr);
    flops += CostOf(node.op(), CostContext(node.attributes(), inputs, node.outputs(), node.bodies())).flops;
  }
  return flops;
}

}  // namespace

ToleranceClass SubgraphTolerance(const Model& body) {
  ToleranceClass loosest = ToleranceClass::kExact;
  for (const NodeId id : body.NodeIds()) {
    const Node& node = body.node(id);
    // A Subgraph's own class says nothing about what is in it.
    if (node.code() != OpCode::kSubgraph) loosest = std::max(loosest, node.op().tolerance);
    for (const std::unique_ptr<Model>& nested : node.bodies()) loosest = std::max(loosest, SubgraphTolerance(*nested));
  }
  return loosest;
}

absl::StatusOr<double> SubgraphFlops(const Model& body, absl::Span<const ValueInfo* const> parameters) {
  if (parameters.size() != body.parameters().size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The body has another number of parameters: ", body.parameters().size(), ", not ", parameters.size()));
  }
  absl::flat_hash_map<int64_t, PartialShape> shapes;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ValueInfo& recorded = body.node(body.parameters()[i]).output(0);
    if (!(recorded.shape == parameters[i]->shape)) shapes[static_cast<int64_t>(i)] = parameters[i]->shape;
  }
  if (shapes.empty()) return FlopsOf(body);
  const std::unique_ptr<Model> reshaped = body.Clone();
  BURIN_RETURN_IF_ERROR(reshaped->Reshape(shapes));
  return FlopsOf(*reshaped);
}

const OpDef& SubgraphOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSubgraph, "Subgraph", "internal");
    d.min_inputs = 0;
    d.max_inputs = -1;
    d.outputs = -1;
    d.bodies = 1;
    d.infer = &InferSubgraph;
    d.reference = &ReferenceSubgraph;
    d.cost = &CostOfSubgraph;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

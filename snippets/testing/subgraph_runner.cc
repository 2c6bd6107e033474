#include "snippets/testing/subgraph_runner.h"

#include <cstddef>

#include "absl/container/flat_hash_map.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/evaluator.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "snippets/decompose/decompose.h"
#include "snippets/testing/bounded_run.h"

namespace burin::snippets {
absl::StatusOr<SubgraphRunner> SubgraphRunner::Create(const ir::Model& body, const jit::Target& target,
                                                      const FusedKernel::Options& options) {
  std::unique_ptr<ir::Model> primitive = body.Clone();
  BURIN_RETURN_IF_ERROR(Decompose(*primitive));
  BURIN_ASSIGN_OR_RETURN(FusedKernel kernel, FusedKernel::Create(*primitive, target, options));
  BURIN_ASSIGN_OR_RETURN(UnfoldedBody unfolded, Unfold(body));
  return SubgraphRunner(body.Clone(), std::move(primitive), std::move(unfolded), std::move(kernel));
}

absl::StatusOr<SubgraphRunner> SubgraphRunner::Create(absl::string_view text, const jit::Target& target,
                                                      const FusedKernel::Options& options) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  return Create(*body, target, options);
}

absl::StatusOr<ComparedElements> SubgraphRunner::Check(absl::Span<const ir::Tensor> inputs, uint64_t seed) const {
  return Check(kernel_, inputs, seed);
}

absl::StatusOr<ComparedElements> SubgraphRunner::Check(const FusedKernel& kernel, absl::Span<const ir::Tensor> inputs,
                                                       uint64_t seed) const {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ExpectedOutput> expected, Expect(inputs));
  return CheckKernel(FusedBodyKernel(kernel), inputs, expected, InPlacePairs(kernel), seed);
}

absl::StatusOr<ComparedElements> SubgraphRunner::Check(const BodyKernel& kernel, absl::Span<const ir::Tensor> inputs,
                                                       uint64_t seed) const {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ExpectedOutput> expected, Expect(inputs));
  return CheckKernel(kernel, inputs, expected, {}, seed);
}

absl::Status SubgraphRunner::UnfoldIntegers(UnfoldedBody& unfolded) {
  ir::Model& model = *unfolded.primitive;
  absl::flat_hash_map<ir::Value, ir::Tensor> known;
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model.TopologicalOrder());
  for (const ir::NodeId id : order) {
    const ir::Node& node = model.node(id);
    if (node.output_count() != 1) continue;
    const ir::Value output = {id, 0};
    const bool to_integer = IsInteger(model.info(output).type);
    if (node.code() == ir::OpCode::kConstant && to_integer) known[output] = model.info(output).constant;
    std::vector<ir::Tensor> inputs;
    for (const ir::Value& input : node.inputs()) {
      const auto found = known.find(input);
      if (found != known.end()) inputs.push_back(found->second);
    }
    const bool is_function = !inputs.empty() && inputs.size() == node.inputs().size() && !node.op().Has(ir::kImpure) &&
                             node.code() != ir::OpCode::kResult;
    if (!is_function) continue;
    if (to_integer) {
      BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> outputs, ir::EvaluateOp(node.op(), node.attributes(), inputs));
      known[output] = std::move(outputs.front());
      continue;
    }
    for (int64_t i = 0; i < static_cast<int64_t>(inputs.size()); ++i) {
      const ir::ValueInfo& info = model.info(node.input(i));
      if (info.shape.rank() == 0) continue;
      BURIN_ASSIGN_OR_RETURN(const ir::Value parameter, model.AddParameter("", info.type, info.shape));
      model.SetInput({id, static_cast<int32_t>(i)}, parameter);
      BURIN_ASSIGN_OR_RETURN(ir::Tensor constant, inputs[static_cast<size_t>(i)].ToDense());
      unfolded.constants.push_back(std::move(constant));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<SubgraphRunner::UnfoldedBody> SubgraphRunner::Unfold(const ir::Model& body) {
  UnfoldedBody unfolded = {body.Clone(), {}};
  ir::Model& model = *unfolded.primitive;
  BURIN_RETURN_IF_ERROR(UnfoldIntegers(unfolded));
  for (const ir::NodeId id : body.NodeIds()) {
    if (body.node(id).code() != ir::OpCode::kConstant) continue;
    const ir::ValueInfo& info = body.info({id, 0});
    // Scalars and integers may be what an operation has to know.
    if (IsInteger(info.type) || info.shape.rank() == 0) continue;
    BURIN_ASSIGN_OR_RETURN(const ir::Value parameter, model.AddParameter("", info.type, info.shape));
    model.ReplaceUses({id, 0}, parameter);
    BURIN_ASSIGN_OR_RETURN(ir::Tensor constant, info.constant.ToDense());
    unfolded.constants.push_back(std::move(constant));
  }
  BURIN_RETURN_IF_ERROR(model.InferAll());
  BURIN_RETURN_IF_ERROR(Decompose(model));
  return unfolded;
}

absl::StatusOr<std::vector<ExpectedOutput>> SubgraphRunner::Expect(absl::Span<const ir::Tensor> inputs) const {
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(*body_));
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> values, evaluator.Run(inputs));
  std::vector<ir::Tensor> all(inputs.begin(), inputs.end());
  all.insert(all.end(), unfolded_.constants.begin(), unfolded_.constants.end());
  BURIN_ASSIGN_OR_RETURN(std::vector<BoundedTensor> bounded, RunBounded(*unfolded_.primitive, all));
  // The kernel is within the bounds of the primitive body; so is the given one where it is another.
  BURIN_ASSIGN_OR_RETURN(const Hash128 given, ir::StructuralHash(*body_));
  BURIN_ASSIGN_OR_RETURN(const Hash128 decomposed, ir::StructuralHash(*primitive_));
  const double factor = given == decomposed ? 1 : 2;
  std::vector<ExpectedOutput> expected;
  for (size_t k = 0; k < values.size(); ++k) {
    ExpectedOutput output;
    BURIN_ASSIGN_OR_RETURN(output.value, values[k].ToDense());
    output.bounds = std::move(bounded[k].bounds);
    if (IsFloat(output.value.element_type())) {
      for (double& bound : output.bounds) bound *= factor;
    }
    expected.push_back(std::move(output));
  }
  return expected;
}

std::vector<InPlace> SubgraphRunner::InPlacePairs(const FusedKernel& kernel) const {
  std::vector<InPlace> pairs;
  for (size_t i = 0; i < body_->parameters().size(); ++i) {
    const ir::ValueInfo& input = body_->info({body_->parameters()[i], 0});
    for (size_t k = 0; k < body_->results().size(); ++k) {
      const ir::ValueInfo& output = body_->info({body_->results()[k], 0});
      const InPlace pair = {static_cast<int>(i), static_cast<int>(k)};
      if (input.type == output.type && input.shape == output.shape && kernel.MayRunInPlace(pair.input, pair.output)) {
        pairs.push_back(pair);
      }
    }
  }
  return pairs;
}

}  // namespace burin::snippets

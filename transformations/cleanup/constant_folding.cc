// ConstantFolding: an operation whose inputs are all Constants becomes Constants of its outputs.
//
// Computed by the ConstantEvaluator of the context, or by the reference, within FoldingLimits. Not folded: operations
// with an effect, a source of values beyond their inputs, or bodies; decompression of weights (decompression.h); what
// fails when computed, since it may never run. Decompression that is to be folded is, whatever the limits: its output
// has no more elements than what it reads.
//
// The number of nodes that are no Constants decreases.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/constant_evaluator.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

// Returns why the node is none to be folded, or null.
const char* WhyNotFolded(const ir::Model& model, const ir::Node& node) {
  if (node.code() == ir::OpCode::kResult || node.op().Has(ir::kImpure)) {
    return "it has an effect, or a source beyond its inputs";
  }
  if (!node.bodies().empty()) return "it has bodies";
  if (node.input_count() == 0) return "it has no inputs";
  if (!model.IsRead(node.id())) return "nobody reads it";
  if (IsKeptDecompression(node)) return "it decompresses weights, which stay narrow";
  return nullptr;
}

// Returns one tensor per input, empty for an absent one; nullopt unless all are Constants.
std::optional<std::vector<ir::Tensor>> ConstantInputs(const ir::Model& model, const ir::Node& node) {
  std::vector<ir::Tensor> inputs;
  for (const ir::Value& input : node.inputs()) {
    const ir::Tensor* const value = input.exists() ? ConstantOf(model, input) : nullptr;
    if (input.exists() && value == nullptr) return std::nullopt;
    inputs.push_back(value != nullptr ? *value : ir::Tensor());
  }
  return inputs;
}

// Returns the bytes of Constants that go with the node because it alone reads them.
int64_t BytesFreed(const ir::Model& model, const ir::Node& node) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < node.input_count(); ++i) {
    if (!node.input(i).exists()) continue;
    // The first slot that reads it speaks for all of them.
    const auto before = node.inputs().subspan(0, static_cast<size_t>(i));
    const bool is_first = std::find(before.begin(), before.end(), node.input(i)) == before.end();
    if (!is_first || model.OnlyReader(node.input(i)) != node.id()) continue;
    bytes += static_cast<int64_t>(ConstantOf(model, node.input(i))->byte_size());
  }
  return bytes;
}

// Returns whether the outputs are the same bytes under another shape.
bool KeepsBytes(ir::OpCode code) {
  return code == ir::OpCode::kReshape || code == ir::OpCode::kSqueeze || code == ir::OpCode::kUnsqueeze;
}

absl::StatusOr<std::vector<ir::Tensor>> Compute(const ir::Node& node, absl::Span<const ir::Tensor> inputs,
                                                const ConstantEvaluator& evaluator) {
  const ir::PartialShape& shape = node.output(0).shape;
  if (!KeepsBytes(node.code()) || !inputs[0].is_dense() || !shape.is_static()) return evaluator.Evaluate(node, inputs);
  BURIN_ASSIGN_OR_RETURN(ir::Tensor view, inputs[0].Reshaped(shape.ToShape()));
  return std::vector<ir::Tensor>{std::move(view)};
}

// Returns whether the node is to be folded whatever the limits.
bool IgnoresLimits(const ir::Model& model, const ir::Node& node) {
  if (!IsFoldedDecompression(node) || !node.output(0).shape.is_static()) return false;
  const absl::StatusOr<int64_t> count = ir::ElementCount(node.output(0).shape.ToShape());
  const ir::Tensor* const first = ConstantOf(model, node.input(0));
  const ir::Tensor* const second = node.input_count() > 1 ? ConstantOf(model, node.input(1)) : nullptr;
  const int64_t read =
      std::max(first != nullptr ? first->element_count() : 0, second != nullptr ? second->element_count() : 0);
  return count.ok() && *count <= read;
}

// Returns the bytes of a folded output that no input holds already.
int64_t BytesAdded(const ir::Tensor& output, absl::Span<const ir::Tensor> inputs) {
  for (const ir::Tensor& input : inputs) {
    if (input.has_value() && input.storage() == output.storage()) return 0;
  }
  return static_cast<int64_t>(output.byte_size());
}

// Returns how much one more fold may add; never less than nothing, so that folds that add nothing go on.
int64_t MaxGrowth(const FoldingLimits& limits, const FoldingBudget* budget) {
  if (budget == nullptr) return limits.max_growth_bytes;
  return std::max<int64_t>(0, std::min(limits.max_growth_bytes, limits.max_total_growth_bytes - budget->grown_bytes()));
}

// Returns whether the work is within the limits, as far as shapes tell before it is done.
bool IsCheap(const ir::Model& model, const ir::Node& node, int64_t max_bytes, double max_flops) {
  std::vector<const ir::ValueInfo*> inputs;
  for (const ir::Value& input : node.inputs()) inputs.push_back(input.exists() ? &model.info(input) : nullptr);
  for (const ir::ValueInfo& output : node.outputs()) {
    if (!output.shape.is_static()) return true;
  }
  const ir::CostContext context(node.attributes(), inputs, node.outputs());
  const bool small = KeepsBytes(node.code()) || context.OutputBytes() <= static_cast<double>(max_bytes);
  return small && ir::CostOf(node.op(), context).flops <= max_flops;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ConstantFolding(const ir::Model& model, ir::NodeId id,
                                                         const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (const char* const why = WhyNotFolded(model, node)) return Decline(context, id, why);
  const std::optional<std::vector<ir::Tensor>> inputs = ConstantInputs(model, node);
  if (!inputs.has_value()) return Decline(context, id, "not all inputs are Constants");

  const auto* const given_limits = context.Find<FoldingLimits>();
  const FoldingLimits limits = given_limits != nullptr ? *given_limits : FoldingLimits();
  const auto* const budget = context.Find<FoldingBudget>();
  const int64_t freed = BytesFreed(model, node);
  const int64_t max_bytes = freed + MaxGrowth(limits, budget);
  const bool is_limited = !IgnoresLimits(model, node);
  if (is_limited && !IsCheap(model, node, max_bytes, limits.max_flops)) {
    return Decline(context, id, "it takes more work or bytes than the limits allow");
  }

  const auto* const given_evaluator = context.Find<ConstantEvaluator>();
  const ConstantEvaluator& evaluator = given_evaluator != nullptr ? *given_evaluator : ReferenceConstantEvaluator();
  absl::StatusOr<std::vector<ir::Tensor>> outputs = Compute(node, *inputs, evaluator);
  if (!outputs.ok()) {
    if (outputs.status().code() == absl::StatusCode::kInternal) return outputs.status();
    return Decline(context, id, outputs.status().message());
  }
  if (static_cast<int64_t>(outputs->size()) != node.output_count()) {
    return absl::InternalError("The evaluator of constants gives another number of outputs than the operation has");
  }
  int64_t bytes = 0;
  ir::Patch patch(model);
  for (int32_t i = 0; i < node.output_count(); ++i) {
    ir::Tensor& output = (*outputs)[static_cast<size_t>(i)];
    if (model.UsesOf(ir::Value{id, i}).empty()) continue;
    bytes += BytesAdded(output, *inputs);
    patch.Replace(ir::Value{id, i}, patch.AddConstant(std::move(output)));
  }
  if (!is_limited) return patch;
  if (bytes > max_bytes) return Decline(context, id, "its outputs take more bytes than the limits allow");
  if (budget != nullptr) budget->Add(bytes - freed);
  return patch;
}

}  // namespace burin::transformations

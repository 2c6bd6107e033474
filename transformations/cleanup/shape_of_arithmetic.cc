// What inference knows of shapes becomes constant, and what it does not depends on less:
//
//   integers or booleans computed from sizes that are all known => Constant
//   ShapeOf(f(x)), f element-wise and of the shape of x         => ShapeOf(x)
//
// The first makes edges from other operations edges from Constants, and fewer with each firing; the second moves a
// ShapeOf nearer to the front, and leaves the rest as it is.
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

bool ComputesFromInputs(const ir::Node& node) {
  return node.input_count() > 0 && node.code() != OpCode::kResult && !node.op().Has(ir::kImpure) &&
         node.bodies().empty() && !IsKeptDecompression(node);
}

std::optional<ir::Patch> ReplaceKnownOutputs(const ir::Model& model, const ir::Node& node) {
  if (!ComputesFromInputs(node)) return std::nullopt;
  ir::Patch patch(model);
  for (int64_t i = 0; i < node.output_count(); ++i) {
    const ir::ValueInfo& info = node.output(i);
    if (!info.constant.has_value() || !(IsInteger(info.type) || info.type == ElementType::kBoolean)) continue;
    const ir::Value output{node.id(), static_cast<int32_t>(i)};
    if (model.UsesOf(output).empty()) continue;
    patch.Replace(output, patch.AddConstant(info.constant));
  }
  if (patch.empty()) return std::nullopt;
  return patch;
}

// Returns an input of an element-wise operation that has the shape of its output in every run.
std::optional<ir::Value> InputOfSameShape(const ir::Model& model, const ir::Node& node) {
  if (!node.op().Has(ir::kElementwise) || node.output_count() != 1) return std::nullopt;
  if (node.input_count() == 1) return node.input(0);
  for (const ir::Value& input : node.inputs()) {
    if (input.exists() && MustEqual(model.info(input).shape, node.output(0).shape)) return input;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ShapeOfArithmetic(const ir::Model& model, ir::NodeId id,
                                                           const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (std::optional<ir::Patch> patch = ReplaceKnownOutputs(model, node); patch.has_value()) return patch;
  if (node.code() != OpCode::kShapeOf) return Decline(context, id, "the integers it gives are not known");
  const std::optional<ir::Value> source = InputOfSameShape(model, model.node(node.input(0).node));
  if (!source.has_value()) return Decline(context, id, "no element-wise operation of one shape comes before ShapeOf");
  ir::Patch patch(model);
  patch.SetInput(ir::Use{id, 0}, *source);
  return patch;
}

}  // namespace burin::transformations

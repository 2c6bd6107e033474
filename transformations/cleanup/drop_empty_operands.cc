// Concat(..., empty, ...) => Concat(...), one operand at least.
//
// Empty is what certainly has no elements along the axis. An operand may say more of the other dimensions than the rest
// do: then it stays. Where all are empty, one remains, and Concat of one operand is nothing (EliminateIdentityOps).
//
// The number of Concats' operands decreases.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/concat.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

bool IsEmptyAlong(const ir::PartialShape& shape, int64_t axis) {
  if (!shape.has_rank()) return false;
  const absl::StatusOr<int64_t> place = ir::NormalizeAxis(axis, shape.rank());
  return place.ok() && shape[*place] == ir::Dimension(0);
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> DropEmptyOperands(const ir::Model& model, ir::NodeId id,
                                                           const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kConcat) return std::nullopt;
  const int64_t axis = node.attributes_as<ir::ConcatAttributes>().axis;
  std::vector<ir::Value> kept;
  for (const ir::Value& input : node.inputs()) {
    if (!IsEmptyAlong(model.info(input).shape, axis)) kept.push_back(input);
  }
  if (kept.empty()) kept.push_back(node.input(0));
  if (static_cast<int64_t>(kept.size()) == node.input_count()) return Decline(context, id, "no operand is empty");

  std::vector<const ir::ValueInfo*> infos;
  for (const ir::Value& input : kept) infos.push_back(&model.info(input));
  const absl::StatusOr<std::vector<ir::ValueInfo>> outputs = ir::InferOp(node.op(), node.attributes(), infos);
  if (!outputs.ok() || !SaysAsMuchAs(outputs->front().shape, node.output(0).shape)) {
    return Decline(context, id, "an empty operand says more of the shape than the others");
  }
  ir::NodeSpec spec;
  spec.op = &node.op();
  spec.attributes = node.attributes().Clone();
  spec.inputs = std::move(kept);
  spec.runtime_info = node.runtime_info();
  ir::Patch patch(model);
  patch.Replace(ir::Value{id, 0}, ir::Value{patch.AddNode(std::move(spec)), 0});
  return patch;
}

}  // namespace burin::transformations

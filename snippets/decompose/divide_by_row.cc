// Divide(x, r) => Multiply(x, Divide(1, r)), where r has fewer elements than x and is not near 0
//
// For f32. A normalisation written out divides every element by what a whole row shares; this divides once a row. The
// reciprocal is a normal number and finite, so the product is at most one rounding off the quotient, and infinities and
// NaN come out alike. Where what is made of the quotient may jump (rounding, comparing), it stays.
//
// Lessens the Divides by something smaller.
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/lower_bound.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

// Far above the reciprocal of the largest float.
const double kLeastDivisor = std::ldexp(1.0, -100);

// Returns whether the operation may give quite another result for a slightly different float.
bool MayJump(const ir::Model& model, const ir::Node& node) {
  switch (node.code()) {
    case ir::OpCode::kCeiling:
    case ir::OpCode::kFakeQuantize:
    case ir::OpCode::kFloor:
    case ir::OpCode::kFloorMod:
    case ir::OpCode::kMod:
    case ir::OpCode::kRound:
    case ir::OpCode::kSign:
      return true;
    default:
      break;
  }
  for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
    if (node.code() != ir::OpCode::kResult && !IsFloat(model.info({node.id(), i}).type)) return true;
  }
  return false;
}

// Returns whether nothing that is made of the value may jump.
bool IsSmooth(const ir::Model& model, ir::NodeId from) {
  std::vector<ir::NodeId> open = {from};
  absl::flat_hash_set<ir::NodeId> seen = {from};
  while (!open.empty()) {
    const ir::NodeId id = open.back();
    open.pop_back();
    for (const ir::Use& use : model.UsesOf(ir::Value{id, 0})) {
      if (MayJump(model, model.node(use.node))) return false;
      if (seen.insert(use.node).second) open.push_back(use.node);
    }
  }
  return true;
}

// Returns whether `row` is the same along some dimension of `whole` that is not 1.
bool IsSmaller(const ir::PartialShape& row, const ir::PartialShape& whole) {
  if (!row.has_rank() || !whole.has_rank()) return false;
  const int64_t offset = whole.rank() - row.rank();
  for (int64_t i = 0; i < whole.rank(); ++i) {
    const bool is_one = i < offset || row[i - offset] == ir::Dimension(1);
    if (is_one && !(whole[i] == ir::Dimension(1))) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> DivideByRow(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kDivide || node.output(0).type != ElementType::kF32) return std::nullopt;
  // A scalar constant is as good a divisor as any, and no row; what is divided is as large as the quotient.
  const ir::ValueInfo& divisor = model.info(node.input(1));
  if (divisor.constant.has_value() || !IsSmaller(divisor.shape, model.info(node.input(0)).shape)) return std::nullopt;
  if (LowerBound(model, node.input(1)) < kLeastDivisor || !IsSmooth(model, id)) return std::nullopt;
  Formula f(model, node);
  const ir::Value reciprocal = f.Apply(ir::DivideOp(), {f.Number(1), node.input(1)});
  return std::move(f).ReplaceWith(f.Apply(ir::MultiplyOp(), {node.input(0), reciprocal}));
}

}  // namespace burin::snippets

// Chains of arithmetic with Constants a, b, c shrink:
//
//   (x + a) + b      => x + (a + b)
//   (x * a) * b      => x * (a * b)
//   (x / a) / b      => x / (a * b)           floats
//   (x * a + b) * c  => x * (a * c) + b * c   floats: so that scales reach the anchor
//   x - a            => x + -a                exact; below an anchor or an Add, so that the forms above see it
//
// Integers wrap, so that all of this is exact for them; their divisions stay. What rounds for floats: one operation
// between Constants in place of one with x. Guards:
//   - All operations stretch by NumPy's rule, which is associative: the result's shape stays, for every shape of x.
//   - A merged Constant is no larger than the larger of both: [C, 1] and [W] stay apart.
//   - Floats have 16 bits or more, and no merged number can be infinite or NaN, or subnormal where its operands are
//     not. That is told from their magnitudes, and so only for Constants of at most kMaxElements elements.
//   - Nobody else reads what lies in between: it would be computed twice.
//   - x is no Constant (that is for ConstantFolding), and no operation is decompression of weights that is kept. In the
//     fourth form x is no integer converted: scaling that is a dequantisation, which low precision looks for.
//
// Each of the first four forms removes an operation on x; the last one turns a Subtract into an Add, which nothing
// turns back.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/folding/channel_constant.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

constexpr int64_t kMaxElements = int64_t{1} << 20;

// Returns the arithmetic on x and a Constant that the node is under NumPy's rule, or nullopt.
std::optional<WithConstant> LinkAt(const ir::Model& model, const ir::Node& node) {
  switch (node.code()) {
    case OpCode::kAdd:
    case OpCode::kSubtract:
    case OpCode::kMultiply:
    case OpCode::kDivide:
      break;
    default:
      return std::nullopt;
  }
  const std::optional<WithConstant> found = FindConstant(model, node);
  if (!found.has_value() || BroadcastRuleOf(node)->mode != ir::AutoBroadcast::kNumpy || IsKeptDecompression(node)) {
    return std::nullopt;
  }
  return found;
}

// Returns the operation above, whose one reader is the one below.
std::optional<WithConstant> LinkAbove(const ir::Model& model, const WithConstant& link) {
  const std::optional<WithConstant> above = LinkAt(model, model.node(link.data.node));
  if (!above.has_value() || model.UsesOf(link.data).size() != 1) return std::nullopt;
  return above;
}

// Returns whether a and b may be merged by that operation.
absl::StatusOr<bool> MayMerge(OpCode code, const ir::Tensor& a, const ir::Tensor& b) {
  const ElementType type = a.element_type();
  if (!KeepsSize(a, b)) return false;
  if (IsInteger(type)) return BitWidth(type) >= 8;
  if (!IsWideFloat(type) || a.element_count() > kMaxElements || b.element_count() > kMaxElements) return false;
  BURIN_ASSIGN_OR_RETURN(const Magnitudes of_a, MagnitudesOf(a));
  BURIN_ASSIGN_OR_RETURN(const Magnitudes of_b, MagnitudesOf(b));
  if (!of_a.finite || !of_b.finite) return false;
  // A sum of floats that are not subnormal may be, but then it is exact.
  if (code == OpCode::kAdd) return of_a.largest <= LargestFinite(type) / 2 && of_b.largest <= LargestFinite(type) / 2;
  const bool zero = of_a.largest == 0 || of_b.largest == 0;
  return of_a.largest * of_b.largest <= LargestFinite(type) &&
         (zero || of_a.smallest_but_zero * of_b.smallest_but_zero >= SmallestNormal(type));
}

// (x op a) op b => x op (a merge b).
ir::Patch MergeTwo(const ir::Model& model, const WithConstant& outer, const WithConstant& inner,
                   const ir::OpDef& merge) {
  ir::Patch patch(model);
  const ir::Value merged = patch.Add(merge, {inner.value, outer.value});
  const ir::Value result = patch.Add(outer.node->op(), {inner.data, merged}, outer.node->attributes().Clone());
  patch.Replace(ir::Value{outer.node->id(), 0}, result);
  return patch;
}

absl::StatusOr<std::optional<ir::Patch>> MergeEqualOps(const ir::Model& model, const WithConstant& outer,
                                                       const WithConstant& inner, const ir::PassContext& context) {
  const ir::NodeId id = outer.node->id();
  const bool is_sum = outer.node->code() == OpCode::kAdd;
  const bool is_quotient = outer.node->code() == OpCode::kDivide;
  if (is_quotient && !IsFloat(outer.constant->element_type())) return Decline(context, id, "integers are divided");
  BURIN_ASSIGN_OR_RETURN(const bool may,
                         MayMerge(is_sum ? OpCode::kAdd : OpCode::kMultiply, *inner.constant, *outer.constant));
  if (!may) return Decline(context, id, "the merged Constant would be larger, or out of range");
  return MergeTwo(model, outer, inner, is_sum ? ir::AddOp() : ir::MultiplyOp());
}

// (x * a + b) * c => x * (a * c) + b * c.
absl::StatusOr<std::optional<ir::Patch>> Distribute(const ir::Model& model, const WithConstant& outer,
                                                    const WithConstant& sum, const ir::PassContext& context) {
  const ir::NodeId id = outer.node->id();
  const std::optional<WithConstant> inner = LinkAbove(model, sum);
  if (!inner.has_value() || inner->node->code() != OpCode::kMultiply) {
    return Decline(context, id, "the sum is not that of a product with a Constant");
  }
  if (!IsFloat(outer.constant->element_type())) return Decline(context, id, "integers are multiplied");
  if (IsConvertedInteger(model, inner->data)) return Decline(context, id, "the scale belongs to integers");
  BURIN_ASSIGN_OR_RETURN(const bool may_scale, MayMerge(OpCode::kMultiply, *inner->constant, *outer.constant));
  BURIN_ASSIGN_OR_RETURN(const bool may_shift, MayMerge(OpCode::kMultiply, *sum.constant, *outer.constant));
  if (!may_scale || !may_shift) return Decline(context, id, "a merged Constant would be larger, or out of range");
  ir::Patch patch(model);
  const ir::Value scale = patch.Add(ir::MultiplyOp(), {inner->value, outer.value});
  const ir::Value shift = patch.Add(ir::MultiplyOp(), {sum.value, outer.value});
  const ir::Value product = patch.Add(ir::MultiplyOp(), {inner->data, scale});
  patch.Replace(ir::Value{id, 0}, patch.Add(ir::AddOp(), {product, shift}));
  return patch;
}

// x - a => x + -a.
std::optional<ir::Patch> AddNegated(const ir::Model& model, const WithConstant& link, const ir::PassContext& context) {
  const ir::NodeId id = link.node->id();
  const ElementType type = link.constant->element_type();
  if (!IsWideFloat(type) && !(IsInteger(type) && BitWidth(type) >= 8)) return Decline(context, id, "the type is small");
  const OpCode above = model.node(link.data.node).code();
  if (!IsAnchor(above) && above != OpCode::kAdd) return Decline(context, id, "stands below no anchor and no Add");
  ir::Patch patch(model);
  const ir::Value negated = patch.Add(ir::NegativeOp(), {link.value});
  patch.Replace(ir::Value{id, 0}, patch.Add(ir::AddOp(), {link.data, negated}));
  return patch;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> MergeConstants(const ir::Model& model, ir::NodeId id,
                                                        const ir::PassContext& context) {
  const std::optional<WithConstant> outer = LinkAt(model, model.node(id));
  if (!outer.has_value()) return std::nullopt;
  if (outer->node->code() == OpCode::kSubtract) return AddNegated(model, *outer, context);
  const std::optional<WithConstant> inner = LinkAbove(model, *outer);
  if (!inner.has_value()) return Decline(context, id, "x is no arithmetic with a Constant, or has other readers");
  if (inner->node->code() == outer->node->code()) return MergeEqualOps(model, *outer, *inner, context);
  if (inner->node->code() == OpCode::kAdd && outer->node->code() == OpCode::kMultiply) {
    return Distribute(model, *outer, *inner, context);
  }
  return Decline(context, id, "the two operations do not merge");
}

}  // namespace burin::transformations

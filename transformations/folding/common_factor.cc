// A factor that two products share stands outside of their sum. With Constants a, b, c:
//
//   x * a + x * b => x * (a + b), and x * a - x * b => x * (a - b)
//   x * c + y * c => (x + y) * c, and likewise for differences
//
// Integers wrap, so that this is exact for them. What rounds for floats: one product in place of two. Guards:
//   - All operations stretch by NumPy's rule: the result's shape stays, for every shape of x.
//   - a + b is no larger than the larger of both; x and y certainly have one shape, so that their sum is no larger.
//   - Floats a and b have one sign (opposite signs in a difference), so that nothing cancels between them that did not
//     cancel before, and their sum is finite. That is asked of at most kMaxElements elements.
//   - Floats x and y have 32 bits, or the exponents of 32: a sum of halves overflows where their scaled values do not.
//   - Nobody else reads a product, and none is decompression of weights that is kept.
//
// Each firing removes a Multiply that is not between Constants.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/folding/channel_constant.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

constexpr int64_t kMaxElements = 4096;

bool IsPlain(const ir::Model& model, ir::Value value) {
  const ir::Node& node = model.node(value.node);
  return BroadcastRuleOf(node)->mode == ir::AutoBroadcast::kNumpy && !IsKeptDecompression(node);
}

Pattern Product(const char* factor, const char* constant) {
  return Op(OpCode::kMultiply)
      .Commutative()
      .OnlyUse()
      .Where("stretches by NumPy's rule and is no decompression", &IsPlain)
      .Input(0, Any().Capture(factor))
      .Input(1, Constant().Capture(constant));
}

Pattern SumOf(const Pattern& first, const Pattern& second) {
  return Op({OpCode::kAdd, OpCode::kSubtract})
      .Where("stretches by NumPy's rule and is no decompression", &IsPlain)
      .Input(0, first)
      .Input(1, second);
}

// Returns whether all elements of a floating constant lie on one side of zero, and on which: 1 or -1; 0 where not.
int SignOf(const ir::Tensor& dense) {
  bool any_negative = false;
  bool any_positive = false;
  for (int64_t i = 0; i < dense.element_count(); ++i) {
    const double element = LoadAsDouble(dense.element_type(), dense.data(), i);
    any_negative = any_negative || element < 0;
    any_positive = any_positive || element > 0;
  }
  if (any_negative && any_positive) return 0;
  return any_negative ? -1 : 1;
}

// Returns why a and b may not be added (or subtracted), or null.
absl::StatusOr<const char*> WhyNotAdded(const ir::Tensor& strided_a, const ir::Tensor& strided_b, bool is_sum) {
  if (!KeepsSize(strided_a, strided_b)) return "the merged Constant would be larger";
  const int64_t larger = std::max(strided_a.element_count(), strided_b.element_count());
  const ElementType type = strided_a.element_type();
  if (IsInteger(type)) return BitWidth(type) >= 8 ? nullptr : "the type is small";
  if (!IsWideFloat(type) || larger > kMaxElements) return "the type is small, or the Constants are large";
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor a, strided_a.ToDense());
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor b, strided_b.ToDense());
  for (const ir::Tensor* constant : {&a, &b}) {
    BURIN_ASSIGN_OR_RETURN(const Magnitudes magnitudes, MagnitudesOf(*constant));
    if (!magnitudes.finite || magnitudes.largest > LargestFinite(type) / 2) return "the merged Constant may overflow";
  }
  const int sign = SignOf(a) * SignOf(b);
  if (sign != (is_sum ? 1 : -1)) return "the two factors may cancel";
  return nullptr;
}

// x * a + x * b
absl::StatusOr<std::optional<ir::Patch>> MergeFactors(const Match& match, const ir::Node& sum,
                                                      const ir::PassContext& context) {
  BURIN_ASSIGN_OR_RETURN(const char* const why,
                         WhyNotAdded(match.constant("a"), match.constant("b"), sum.code() == OpCode::kAdd));
  if (why != nullptr) return Decline(context, sum.id(), why);
  ir::Patch patch(match.model());
  const ir::Value factor = patch.Add(sum.op(), {match.value("a"), match.value("b")});
  patch.Replace(ir::Value{sum.id(), 0}, patch.Add(ir::MultiplyOp(), {match.value("x"), factor}));
  return patch;
}

// x * c + y * c
std::optional<ir::Patch> FactorOut(const Match& match, const ir::Node& sum, const ir::PassContext& context) {
  const ElementType type = sum.output(0).type;
  const bool may_add = IsInteger(type) ? BitWidth(type) >= 8 : IsWideFloat(type) && type != ElementType::kF16;
  if (!may_add) return Decline(context, sum.id(), "a sum of the type overflows early");
  if (!MustEqual(match.info("x").shape, match.info("y").shape)) {
    return Decline(context, sum.id(), "the two factors may have different shapes");
  }
  ir::Patch patch(match.model());
  const ir::Value inner = patch.Add(sum.op(), {match.value("x"), match.value("y")});
  patch.Replace(ir::Value{sum.id(), 0}, patch.Add(ir::MultiplyOp(), {inner, match.value("c")}));
  return patch;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> CommonFactor(const ir::Model& model, ir::NodeId node,
                                                      const ir::PassContext& context) {
  static const auto* const same_factor = new Pattern(SumOf(Product("x", "a"), Product("x", "b")));
  static const auto* const same_constant = new Pattern(SumOf(Product("x", "c"), Product("y", "c")));
  if (const std::optional<Match> match = MatchAt(*same_factor, model, node, context); match.has_value()) {
    return MergeFactors(*match, model.node(node), context);
  }
  const std::optional<Match> match = MatchAt(*same_constant, model, node, context);
  if (!match.has_value()) return std::nullopt;
  return FactorOut(*match, model.node(node), context);
}

}  // namespace burin::transformations

// Convert(Convert(x, b), c) => Convert(x, c), or x where that is its type, where both give the same for every x.
//
// That is so where b holds every number of x's type, unless both x and the result are integers, b is a float, and the
// result's type is narrower (from a float it saturates, from an integer it wraps); and where all three are integers and
// c has no more bits than b, for integers wrap. Float formats of 8 bits and less hold not even themselves: a Convert to
// them makes finite numbers of infinities.
//
// The inner Convert stays for those who read it besides. The number of Converts above a Convert decreases.
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// Returns how many bits of an integer a float type of 16 bits or more holds exactly, 0 for any other type.
int Precision(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return 53;
    case ElementType::kF32:
      return 24;
    case ElementType::kF16:
      return 11;
    case ElementType::kBf16:
      return 8;
    default:
      return 0;
  }
}

// Returns whether the float type `to` holds every number of the float type `from`, which is another.
bool FloatHoldsFloat(ElementType to, ElementType from) {
  switch (to) {
    case ElementType::kF64:
      return true;
    case ElementType::kF32:
      return BitWidth(from) < 32;
    case ElementType::kBf16:
      return BitWidth(from) <= 8;
    case ElementType::kF16:
      // The powers of two go beyond its exponents.
      return BitWidth(from) <= 8 && from != ElementType::kF8E8M0;
    default:
      return false;
  }
}

// Returns whether the integer type `to` holds every number of the integer or boolean type `from`.
bool IntegerHolds(ElementType to, ElementType from) {
  if (from == ElementType::kBoolean) return true;
  if (IsSignedInteger(from)) return IsSignedInteger(to) && BitWidth(to) >= BitWidth(from);
  return BitWidth(to) >= BitWidth(from) + (IsSignedInteger(to) ? 1 : 0);
}

// Returns whether a Convert from `from` to `to` keeps every number.
bool Holds(ElementType to, ElementType from) {
  if (to == from) return !IsFloat(to) || BitWidth(to) >= 16;
  if (IsInteger(to)) return (IsInteger(from) || from == ElementType::kBoolean) && IntegerHolds(to, from);
  if (!IsFloat(to)) return false;
  if (IsFloat(from)) return FloatHoldsFloat(to, from);
  if (from == ElementType::kBoolean) return Precision(to) > 0;
  // The least number of a signed type is a power of two.
  return BitWidth(from) - (IsSignedInteger(from) ? 1 : 0) <= Precision(to);
}

bool MayMerge(ElementType from, ElementType middle, ElementType to) {
  if (from == to && IsFloat(to) && BitWidth(to) < 16) return false;
  if (IsInteger(from) && IsInteger(middle) && IsInteger(to) && BitWidth(to) <= BitWidth(middle)) return true;
  if (!Holds(middle, from)) return false;
  return IsFloat(from) || !IsFloat(middle) || !IsInteger(to) || IntegerHolds(to, from);
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ConvertChains(const ir::Model& model, ir::NodeId node,
                                                       const ir::PassContext& context) {
  static const auto* const chain =
      new Pattern(Op(OpCode::kConvert)
                      .Capture("outer")
                      .Input(0, Op(OpCode::kConvert).Capture("inner").Input(0, Any().Capture("x"))));
  const std::optional<Match> match = MatchAt(*chain, model, node, context);
  if (!match.has_value()) return std::nullopt;
  const ElementType from = match->info("x").type;
  const ElementType middle = match->info("inner").type;
  const ElementType to = match->info("outer").type;
  if (!MayMerge(from, middle, to)) {
    return Decline(context, node, [&] {
      return absl::StrCat(Name(from), " to ", Name(middle), " to ", Name(to), " is another conversion than ",
                          Name(from), " to ", Name(to));
    });
  }
  ir::Patch patch(model);
  if (from == to) {
    patch.Replace(match->value("outer"), match->value("x"));
    return patch;
  }
  ir::NodeSpec merged;
  merged.op = &ir::ConvertOp();
  merged.attributes = match->node("outer").attributes().Clone();
  merged.inputs = {match->value("x")};
  merged.runtime_info = DecompressionMarkOf(match->node("outer"));
  if (merged.runtime_info.empty()) merged.runtime_info = DecompressionMarkOf(match->node("inner"));
  patch.Replace(match->value("outer"), ir::Value{patch.AddNode(std::move(merged)), 0});
  return patch;
}

}  // namespace burin::transformations

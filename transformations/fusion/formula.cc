#include "transformations/fusion/formula.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/ops/clamp.h"
#include "ir/ops/op_code.h"
#include "ir/tensor.h"
#include "transformations/matcher/explain.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

constexpr double kUnits = 4;

// Returns the digits of the significand of a float type of at least 16 bits; 0 for any other type.
int DigitsOf(ElementType type) { return BitWidth(type) < 16 ? 0 : SignificandDigits(type); }

Pattern Binary(OpCode code, const Pattern& a, const Pattern& b) { return Op(code).Input(0, a).Input(1, b); }

}  // namespace

std::optional<double> NumberOf(const ir::Model& model, ir::Value value) {
  if (!value.exists()) return std::nullopt;
  const ir::Tensor& content = model.info(value).constant;
  if (!content.has_value() || content.element_count() != 1) return std::nullopt;
  if (DigitsOf(content.element_type()) == 0) return std::nullopt;
  return LoadAsDouble(content.element_type(), content.data(), 0);
}

Pattern AnyNumber() {
  return Any().Where("is a known number",
                     [](const ir::Model& model, ir::Value value) { return NumberOf(model, value).has_value(); });
}

Pattern Number(double value) {
  return Any().Where(absl::StrCat("is ", value), [value](const ir::Model& model, ir::Value at) {
    const std::optional<double> number = NumberOf(model, at);
    if (!number.has_value()) return false;
    return std::fabs(*number - value) <= std::ldexp(kUnits * std::fabs(value), -DigitsOf(model.info(at).type));
  });
}

Pattern Sum(const Pattern& a, const Pattern& b) { return Binary(OpCode::kAdd, a, b).Commutative(); }

Pattern Product(const Pattern& a, const Pattern& b) { return Binary(OpCode::kMultiply, a, b).Commutative(); }

Pattern Quotient(const Pattern& a, const Pattern& b) { return Binary(OpCode::kDivide, a, b); }

Pattern Scaled(const Pattern& a, double factor) {
  return AnyOf({Product(a, Number(factor)), Quotient(a, Number(1 / factor))});
}

Pattern ScaledProduct(const Pattern& a, const Pattern& b, double factor) {
  return AnyOf({Product(Scaled(a, factor), b), Product(a, Scaled(b, factor)), Scaled(Product(a, b), factor)});
}

Pattern Square(const Pattern& a) { return AnyOf({Binary(OpCode::kPower, a, Number(2)), Product(a, a)}); }

Pattern Negated(const Pattern& a) { return AnyOf({Op(OpCode::kNegative).Input(0, a), Product(a, Number(-1))}); }

Pattern Root(const Pattern& a) {
  return AnyOf({Op(OpCode::kSqrt).Input(0, a), Binary(OpCode::kPower, a, Number(0.5))});
}

Pattern Clamped(const Pattern& a, double low, double high) {
  const auto greater = [low](const Pattern& value) {
    const Pattern maximum = Binary(OpCode::kMaximum, value, Number(low)).Commutative();
    return low == 0 ? AnyOf({Op(OpCode::kRelu).Input(0, value), maximum}) : maximum;
  };
  const auto smaller = [high](const Pattern& value) {
    return Binary(OpCode::kMinimum, value, Number(high)).Commutative();
  };
  Pattern clamp = Op(OpCode::kClamp)
                      .Input(0, a)
                      .WithAttributes<ir::ClampAttributes>(absl::StrCat("clamps to [", low, ", ", high, "]"),
                                                           [low, high](const ir::ClampAttributes& attributes) {
                                                             return attributes.min == low && attributes.max == high;
                                                           });
  return AnyOf({std::move(clamp), smaller(greater(a)), greater(smaller(a))});
}

bool MayReplace(const Match& match, ir::NodeId root, const ir::PassContext& context) {
  const ir::Model& model = match.model();
  const ir::Value leaf = match.value("x");
  const ir::ValueInfo& x = match.info("x");
  const char* why = DigitsOf(x.type) == 0 ? "the type has less than 16 bits" : nullptr;
  absl::flat_hash_set<ir::NodeId> parts = {root};
  std::vector<ir::NodeId> work = {root};
  while (!work.empty()) {
    const ir::Node& node = model.node(work.back());
    work.pop_back();
    for (const ir::Value& input : node.inputs()) {
      if (!input.exists() || input == leaf) continue;
      const ir::Tensor& content = model.info(input).constant;
      if (!content.has_value()) {
        if (parts.insert(input.node).second) work.push_back(input.node);
      } else if (NumberOf(model, input).has_value() && !content.shape().empty()) {
        const auto rank = static_cast<int64_t>(content.shape().size());
        if (!x.shape.has_rank() || rank > x.shape.rank()) why = "a number may add dimensions";
      }
    }
  }
  for (const ir::NodeId part : parts) {
    const std::vector<ir::Use> uses = model.UsesOf({part, 0});
    const bool inside = std::all_of(uses.begin(), uses.end(), [&](ir::Use use) { return parts.contains(use.node); });
    if (part != root && !inside) why = "a part is read elsewhere";
  }
  if (why != nullptr) Decline(context, root, why);
  return why == nullptr;
}

std::optional<ir::Patch> ReplaceFormula(const Match& match, ir::NodeId root, const ir::OpDef& op,
                                        const ir::PassContext& context, std::unique_ptr<ir::Attributes> attributes) {
  if (!MayReplace(match, root, context)) return std::nullopt;
  ir::Patch patch(match.model());
  patch.Replace(ir::Value{root, 0}, patch.Add(op, {match.value("x")}, std::move(attributes)));
  return patch;
}

}  // namespace burin::transformations

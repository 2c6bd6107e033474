// Patterns for the parts of a formula that exporters spell in several ways, and the guards that all fusions share.
//
// A fusion puts one operation in the place of its parts. Numbers of a formula are recognised within a few roundings of
// their type, products in any association, a factor as what is multiplied with or divided by. A formula reads one
// value, which its pattern captures as "x", and values that are known. For rules of this folder alone. Stateless,
// thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUSION_FORMULA_H_
#define BURIN_TRANSFORMATIONS_FUSION_FORMULA_H_

#include <memory>
#include <optional>

#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/rewrite.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/pattern.h"

namespace burin::transformations {

// Returns the only element of a value that is known before the model runs, of a float type of at least 16 bits; nullopt
// for any other value.
std::optional<double> NumberOf(const ir::Model& model, ir::Value value);

// Matches a number, and one that is `value` within 4 units of the last place of its type.
Pattern AnyNumber();
Pattern Number(double value);

// Match a + b, a * b, a / b; sums and products in either order.
Pattern Sum(const Pattern& a, const Pattern& b);
Pattern Product(const Pattern& a, const Pattern& b);
Pattern Quotient(const Pattern& a, const Pattern& b);

// Matches a * factor, written as a product or as a quotient by 1 / factor.
Pattern Scaled(const Pattern& a, double factor);
// Matches a * b * factor with the factor at either operand or behind.
Pattern ScaledProduct(const Pattern& a, const Pattern& b, double factor);

// Matches a * a, as a product or a power, `a` being a pattern that captures one value.
Pattern Square(const Pattern& a);
// Matches -a.
Pattern Negated(const Pattern& a);
// Matches a square root.
Pattern Root(const Pattern& a);
// Matches min(max(a, low), high), as a Clamp, as the two operations in either order, and with Relu where low is 0.
Pattern Clamped(const Pattern& a, double low, double high);

// Returns whether the formula that ends in `root` may become one operation on the value captured as "x", of its type
// and shape: the type is a float of at least 16 bits, no number has more dimensions than x, and nobody else reads what
// lies in between, so that all of it disappears. Where not, says why as Decline() does.
bool MayReplace(const Match& match, ir::NodeId root, const ir::PassContext& context);

// Returns the edit that puts `op` on the value captured as "x" in the place of the formula, if MayReplace().
std::optional<ir::Patch> ReplaceFormula(const Match& match, ir::NodeId root, const ir::OpDef& op,
                                        const ir::PassContext& context,
                                        std::unique_ptr<ir::Attributes> attributes = nullptr);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUSION_FORMULA_H_

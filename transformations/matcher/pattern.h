// Describes a part of a graph, from one value back to what it is computed from.
//
// A Pattern is an immutable value: each method returns a new one that asks for more. A rule builds its pattern once and
// gives it to MatchAt() (matcher.h) at every node:
//
//   static const auto* const pattern = new Pattern(
//       Op(OpCode::kAdd).Commutative()
//           .Input(0, Op(OpCode::kMatMul).OnlyUse().Capture("matmul"))
//           .Input(1, Constant().HasRank(1).Capture("bias")));
//
// Inputs that a pattern does not mention may be anything. Alternatives (AnyOf, Optional, Repeat, Commutative) are tried
// in order until one lets the whole pattern match, so that which one is taken never hides a match. Under one name
// Capture() takes one and the same value wherever it stands. The time of a match depends on the pattern, not on the
// model. Not for what needs more than the way from a value to its sources: that is code in the rule. Thread-safe.
#ifndef BURIN_TRANSFORMATIONS_MATCHER_PATTERN_H_
#define BURIN_TRANSFORMATIONS_MATCHER_PATTERN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "transformations/matcher/match.h"

namespace burin::transformations {

class Pattern {
 public:
  // What is asked of a value alone, and of a value together with all that the match has captured.
  using ValuePredicate = std::function<bool(const ir::Model& model, ir::Value value)>;
  using MatchPredicate = std::function<bool(const Match& match, ir::Value value)>;

  // Asks the node's input `index` for a pattern; absent and missing inputs match Absent() alone. Not for choices.
  Pattern Input(int64_t index, Pattern pattern) const;
  // Lets the patterns of inputs 0 and 1 match in either order.
  Pattern Commutative() const;
  // Asks for exactly that many inputs, absent ones in between counted.
  Pattern InputCount(int64_t count) const;
  // Asks for the node's output `index`.
  Pattern Output(int64_t index) const;

  // Remembers the value under the name; a second value under the name does not match.
  Pattern Capture(std::string name) const;
  // Remembers each value that this pattern meets under the name (in a Repeat).
  Pattern CaptureEach(std::string name) const;

  // Ask for a type: that one, one of those, any float, any integer (boolean is neither).
  Pattern HasType(ElementType type) const;
  Pattern HasTypeAmong(std::vector<ElementType> types) const;
  Pattern HasFloatType() const;
  Pattern HasIntegerType() const;
  // Asks for a known rank.
  Pattern HasRank(int64_t rank) const;
  // Asks that the value has this shape in every run: sizes are equal, or symbols are.
  Pattern HasShape(ir::PartialShape shape) const;
  // Asks that the dimension (negative: from the end) is `dimension` in every run: that size, or that symbol.
  Pattern HasDimension(int64_t axis, ir::Dimension dimension) const;
  // Asks that the shape is in every run that of the value captured under the name, anywhere in the pattern.
  Pattern SameShapeAs(std::string name) const;
  // Asks that the dimension is in every run dimension `other_axis` of the value captured under the name.
  Pattern SameDimension(int64_t axis, std::string name, int64_t other_axis) const;
  // Asks that one input slot in the whole model reads the value.
  Pattern OnlyUse() const;

  // Asks the node's attributes, which are of type T where the op is the right one.
  template <class T>
  Pattern WithAttributes(std::string description, std::function<bool(const T& attributes)> predicate) const {
    return Where(std::move(description), [predicate = std::move(predicate)](const ir::Model& model, ir::Value value) {
      const T* typed = ir::AttributesAs<T>(model.node(value.node).attributes());
      return typed != nullptr && predicate(*typed);
    });
  }
  // Ask anything; `description` says what, for explanations: "is symmetric".
  Pattern Where(std::string description, ValuePredicate predicate) const;
  // Is asked once all captures are there.
  Pattern WhereMatch(std::string description, MatchPredicate predicate) const;

  // ---- For the matcher ----

  enum class Kind : uint8_t { kAny, kAbsent, kOp, kAnyOf };
  struct ValueCheck {
    std::string description;
    ValuePredicate predicate;
  };
  struct MatchCheck {
    std::string description;
    MatchPredicate predicate;
  };
  struct Spec {
    Kind kind = Kind::kAny;
    std::vector<ir::OpCode> codes;
    std::vector<Pattern> alternatives;
    std::vector<std::pair<int64_t, Pattern>> inputs;
    bool commutative = false;
    std::string capture;  // Empty: none.
    bool capture_each = false;
    std::vector<ValueCheck> checks;
    std::vector<MatchCheck> match_checks;
  };
  explicit Pattern(Spec spec) : spec_(std::make_shared<const Spec>(std::move(spec))) {}
  const std::shared_ptr<const Spec>& spec() const { return spec_; }

 private:
  std::shared_ptr<const Spec> spec_;
};

// Matches any value.
Pattern Any();
// Matches an input that is not there.
Pattern Absent();
// Matches an output of a node of that op, or of one of those.
Pattern Op(ir::OpCode code);
Pattern Op(std::vector<ir::OpCode> codes);
// Matches a Constant.
Pattern Constant();
// Matches a value whose content is known before the model runs: a Constant, or what inference computed from some.
Pattern KnownValue();
// Matches a known value of one element, of any rank: that number (0 and -0 are two, NaN is none).
Pattern ConstantScalar(double value);
// Matches a known value all of whose elements, one at least, are that number.
Pattern ConstantFilledWith(double value);
// Matches what the first of the alternatives matches.
Pattern AnyOf(std::vector<Pattern> alternatives);
// Matches `op` whose input `input` matches `below`, or `below` itself.
Pattern Optional(const Pattern& op, Pattern below, int64_t input = 0);
// Matches a chain of `min` to `max` nodes, each matching `op` and reading the next as its input `input`, that ends in
// `below`; the longest chain first. Requires 0 <= min <= max <= 64.
Pattern Repeat(const Pattern& op, const Pattern& below, int64_t min, int64_t max, int64_t input = 0);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_MATCHER_PATTERN_H_

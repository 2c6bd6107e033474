#include "transformations/matcher/pattern.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/element_access.h"
#include "ir/tensor.h"
#include "transformations/matcher/facts.h"

namespace burin::transformations {
namespace {

constexpr int64_t kMaxRepeats = 64;

Pattern OfKind(Pattern::Kind kind) {
  Pattern::Spec spec;
  spec.kind = kind;
  return Pattern(std::move(spec));
}

// Returns the dimension at `axis`, counted from the end where negative; null where there is none.
const ir::Dimension* DimensionAt(const ir::PartialShape& shape, int64_t axis) {
  if (!shape.has_rank()) return nullptr;
  const int64_t place = axis < 0 ? axis + shape.rank() : axis;
  return place >= 0 && place < shape.rank() ? &shape[place] : nullptr;
}

// Returns whether element `index` is `value`, with its sign where that is zero.
bool ElementIs(const ir::Tensor& dense, int64_t index, double value) {
  const double element = LoadAsDouble(dense.element_type(), dense.data(), index);
  return element == value && std::signbit(element) == std::signbit(value);
}

// Returns the content where it is one of numbers that lie densely.
const ir::Tensor* KnownNumbers(const ir::Model& model, ir::Value value) {
  const ir::Tensor& content = model.info(value).constant;
  if (!content.has_value() || BitWidth(content.element_type()) == 0 || !content.is_dense()) return nullptr;
  return &content;
}

}  // namespace

Pattern Pattern::Input(int64_t index, Pattern pattern) const {
  BURIN_CHECK(index >= 0) << "input " << index;
  BURIN_CHECK(spec_->kind == Kind::kOp || spec_->kind == Kind::kAny) << "inputs of a choice, or of an absent value";
  Spec spec = *spec_;
  spec.inputs.emplace_back(index, std::move(pattern));
  return Pattern(std::move(spec));
}

Pattern Pattern::Commutative() const {
  Spec spec = *spec_;
  spec.commutative = true;
  return Pattern(std::move(spec));
}

Pattern Pattern::InputCount(int64_t count) const {
  return Where(absl::StrCat("has ", count, " inputs"), [count](const ir::Model& model, ir::Value value) {
    return model.node(value.node).input_count() == count;
  });
}

Pattern Pattern::Output(int64_t index) const {
  return Where(absl::StrCat("is output ", index),
               [index](const ir::Model&, ir::Value value) { return value.output == index; });
}

Pattern Pattern::Capture(std::string name) const {
  BURIN_CHECK(spec_->capture.empty()) << "captured twice, as " << spec_->capture << " and " << name;
  Spec spec = *spec_;
  spec.capture = std::move(name);
  return Pattern(std::move(spec));
}

Pattern Pattern::CaptureEach(std::string name) const {
  Spec spec = *Capture(std::move(name)).spec_;
  spec.capture_each = true;
  return Pattern(std::move(spec));
}

Pattern Pattern::HasType(ElementType type) const { return HasTypeAmong({type}); }

Pattern Pattern::HasTypeAmong(std::vector<ElementType> types) const {
  std::string names =
      absl::StrJoin(types, " or ", [](std::string* out, ElementType type) { absl::StrAppend(out, Name(type)); });
  return Where(absl::StrCat("is ", names), [types = std::move(types)](const ir::Model& model, ir::Value value) {
    return std::find(types.begin(), types.end(), model.info(value).type) != types.end();
  });
}

Pattern Pattern::HasFloatType() const {
  return Where("is of a float type",
               [](const ir::Model& model, ir::Value value) { return IsFloat(model.info(value).type); });
}

Pattern Pattern::HasIntegerType() const {
  return Where("is of an integer type",
               [](const ir::Model& model, ir::Value value) { return IsInteger(model.info(value).type); });
}

Pattern Pattern::HasRank(int64_t rank) const {
  return Where(absl::StrCat("has rank ", rank), [rank](const ir::Model& model, ir::Value value) {
    const ir::PartialShape& shape = model.info(value).shape;
    return shape.has_rank() && shape.rank() == rank;
  });
}

Pattern Pattern::HasShape(ir::PartialShape shape) const {
  std::string text = shape.ToString();
  return Where(absl::StrCat("has shape ", text), [shape = std::move(shape)](const ir::Model& model, ir::Value value) {
    return MustEqual(model.info(value).shape, shape);
  });
}

Pattern Pattern::HasDimension(int64_t axis, ir::Dimension dimension) const {
  std::string text = absl::StrCat("has dimension ", axis, " = ", dimension.ToString());
  return Where(std::move(text), [axis, dimension = std::move(dimension)](const ir::Model& model, ir::Value value) {
    const ir::Dimension* found = DimensionAt(model.info(value).shape, axis);
    return found != nullptr && found->MustEqual(dimension);
  });
}

Pattern Pattern::SameShapeAs(std::string name) const {
  std::string text = absl::StrCat("has the shape of '", name, "'");
  return WhereMatch(std::move(text), [name = std::move(name)](const Match& match, ir::Value value) {
    return match.has(name) && MustEqual(match.model().info(value).shape, match.info(name).shape);
  });
}

Pattern Pattern::SameDimension(int64_t axis, std::string name, int64_t other_axis) const {
  std::string text = absl::StrCat("has dimension ", axis, " = dimension ", other_axis, " of '", name, "'");
  return WhereMatch(std::move(text), [name = std::move(name), axis, other_axis](const Match& match, ir::Value value) {
    if (!match.has(name)) return false;
    const ir::Dimension* mine = DimensionAt(match.model().info(value).shape, axis);
    const ir::Dimension* other = DimensionAt(match.info(name).shape, other_axis);
    return mine != nullptr && other != nullptr && mine->MustEqual(*other);
  });
}

Pattern Pattern::OnlyUse() const {
  return Where("is read once", [](const ir::Model& model, ir::Value value) { return model.HasOneUse(value); });
}

Pattern Pattern::Where(std::string description, ValuePredicate predicate) const {
  Spec spec = *spec_;
  spec.checks.push_back(ValueCheck{std::move(description), std::move(predicate)});
  return Pattern(std::move(spec));
}

Pattern Pattern::WhereMatch(std::string description, MatchPredicate predicate) const {
  Spec spec = *spec_;
  spec.match_checks.push_back(MatchCheck{std::move(description), std::move(predicate)});
  return Pattern(std::move(spec));
}

Pattern Any() { return OfKind(Pattern::Kind::kAny); }

Pattern Absent() { return OfKind(Pattern::Kind::kAbsent); }

Pattern Op(ir::OpCode code) { return Op(std::vector<ir::OpCode>{code}); }

Pattern Op(std::vector<ir::OpCode> codes) {
  Pattern::Spec spec;
  spec.kind = Pattern::Kind::kOp;
  spec.codes = std::move(codes);
  return Pattern(std::move(spec));
}

Pattern Constant() { return Op(ir::OpCode::kConstant); }

Pattern KnownValue() {
  return Any().Where("has a known content",
                     [](const ir::Model& model, ir::Value value) { return model.info(value).constant.has_value(); });
}

Pattern ConstantScalar(double value) {
  return Any().Where(absl::StrCat("is the constant ", value), [value](const ir::Model& model, ir::Value at) {
    const ir::Tensor* content = KnownNumbers(model, at);
    return content != nullptr && content->element_count() == 1 && ElementIs(*content, 0, value);
  });
}

Pattern ConstantFilledWith(double value) {
  return Any().Where(absl::StrCat("is a constant full of ", value), [value](const ir::Model& model, ir::Value at) {
    const ir::Tensor* content = KnownNumbers(model, at);
    if (content == nullptr || content->element_count() == 0) return false;
    for (int64_t i = 0; i < content->element_count(); ++i) {
      if (!ElementIs(*content, i, value)) return false;
    }
    return true;
  });
}

Pattern AnyOf(std::vector<Pattern> alternatives) {
  BURIN_CHECK(!alternatives.empty()) << "a choice of nothing";
  Pattern::Spec spec;
  spec.kind = Pattern::Kind::kAnyOf;
  spec.alternatives = std::move(alternatives);
  return Pattern(std::move(spec));
}

Pattern Optional(const Pattern& op, Pattern below, int64_t input) {
  Pattern with = op.Input(input, below);
  return AnyOf({std::move(with), std::move(below)});
}

Pattern Repeat(const Pattern& op, const Pattern& below, int64_t min, int64_t max, int64_t input) {
  BURIN_CHECK(0 <= min && min <= max && max <= kMaxRepeats) << "repeats: " << min << " to " << max;
  Pattern chain = below;
  for (int64_t taken = max; taken-- > 0;) {
    Pattern longer = op.Input(input, std::move(chain));
    chain = taken < min ? std::move(longer) : AnyOf({std::move(longer), below});
  }
  return chain;
}

}  // namespace burin::transformations

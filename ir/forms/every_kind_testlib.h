// An attribute struct with every kind of attribute, for the tests of whoever visits them.
//
// For tests only. Plain data.
#ifndef BURIN_IR_FORMS_EVERY_KIND_TESTLIB_H_
#define BURIN_IR_FORMS_EVERY_KIND_TESTLIB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin {
namespace ir {

// One of its names is no word.
enum class Flavour { kSweet, kVerySour };

}  // namespace ir

template <>
struct EnumNames<ir::Flavour> {
  static constexpr EnumEntry<ir::Flavour> kEntries[] = {
      {ir::Flavour::kSweet, "sweet"}, {ir::Flavour::kVerySour, "very, \"sour\"}"}, {ir::Flavour::kVerySour, "sour"}};
};

namespace ir {

struct EveryKindAttributes final : AttributesOf<EveryKindAttributes> {
  using AttributesOf::VisitAttributes;

  bool a_bool = false;
  int64_t an_int = 7;
  double a_double = 0.5;
  std::string a_string = "text";
  std::vector<int64_t> ints = {1, 2};
  std::vector<double> doubles;
  std::vector<std::string> strings;
  ElementType type = ElementType::kF32;
  PartialShape shape;
  Tensor tensor;
  Flavour flavour = Flavour::kSweet;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("a_bool", a_bool);
    visitor.Visit("an_int", an_int);
    visitor.Visit("a_double", a_double);
    visitor.Visit("a_string", a_string);
    visitor.Visit("ints", ints);
    visitor.Visit("doubles", doubles);
    visitor.Visit("strings", strings);
    visitor.Visit("type", type);
    visitor.Visit("shape", shape);
    visitor.Visit("tensor", tensor);
    visitor.Visit("flavour", flavour);
  }
};

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_FORMS_EVERY_KIND_TESTLIB_H_

// The attributes of TopK. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_TOP_K_H_
#define BURIN_IR_OPS_TOP_K_H_

#include <cstdint>

#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

enum class TopKMode : uint8_t { kMax, kMin };

// The order of the selected elements.
enum class TopKSort : uint8_t {
  kValue,  // Largest first (mode max) or smallest first (mode min).
  kIndex,  // By their place in the data.
  kNone,   // Any.
};

}  // namespace ir

template <>
struct EnumNames<ir::TopKMode> {
  static constexpr EnumEntry<ir::TopKMode> kEntries[] = {{ir::TopKMode::kMax, "max"}, {ir::TopKMode::kMin, "min"}};
};

template <>
struct EnumNames<ir::TopKSort> {
  static constexpr EnumEntry<ir::TopKSort> kEntries[] = {
      {ir::TopKSort::kValue, "value"}, {ir::TopKSort::kIndex, "index"}, {ir::TopKSort::kNone, "none"}};
};

namespace ir {

struct TopKAttributes final : AttributesOf<TopKAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t axis = -1;  // The dimension along which elements are selected; negative counts from the end.
  TopKMode mode = TopKMode::kMax;
  TopKSort sort = TopKSort::kValue;
  bool stable = false;                                 // Whether equal elements keep their order.
  ElementType index_element_type = ElementType::kI32;  // kI32 or kI64.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
    visitor.Visit("mode", mode);
    visitor.Visit("sort", sort);
    visitor.Visit("stable", stable);
    visitor.Visit("index_element_type", index_element_type);
  }
};

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_TOP_K_H_

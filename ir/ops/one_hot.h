// The attributes of OneHot. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_ONE_HOT_H_
#define BURIN_IR_OPS_ONE_HOT_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

enum class NegativeIndicesMode : uint8_t {
  kIgnoreNegative,  // A negative index selects nothing.
  kNormalize,       // An index in [-depth, -1] counts from the end.
};

}  // namespace ir

template <>
struct EnumNames<ir::NegativeIndicesMode> {
  static constexpr EnumEntry<ir::NegativeIndicesMode> kEntries[] = {
      {ir::NegativeIndicesMode::kIgnoreNegative, "ignore_negative"},
      {ir::NegativeIndicesMode::kNormalize, "normalize"}};
};

namespace ir {

struct OneHotAttributes final : AttributesOf<OneHotAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t axis = -1;  // The place of the new dimension in the output; negative counts from the output's end.
  NegativeIndicesMode negative_indices_mode = NegativeIndicesMode::kIgnoreNegative;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
    visitor.Visit("negative_indices_mode", negative_indices_mode);
  }
};

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_ONE_HOT_H_

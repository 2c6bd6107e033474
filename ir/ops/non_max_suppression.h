// The attributes of NonMaxSuppression. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_NON_MAX_SUPPRESSION_H_
#define BURIN_IR_OPS_NON_MAX_SUPPRESSION_H_

#include <cstdint>

#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

// What the four numbers of a box are.
enum class BoxEncoding : uint8_t {
  kCorner,  // y1, x1, y2, x2 of two opposite corners, in any order.
  kCenter,  // x, y of the middle, width, height.
};

}  // namespace ir

template <>
struct EnumNames<ir::BoxEncoding> {
  static constexpr EnumEntry<ir::BoxEncoding> kEntries[] = {{ir::BoxEncoding::kCorner, "corner"},
                                                            {ir::BoxEncoding::kCenter, "center"}};
};

namespace ir {

struct NonMaxSuppressionAttributes final : AttributesOf<NonMaxSuppressionAttributes> {
  using AttributesOf::VisitAttributes;
  BoxEncoding box_encoding = BoxEncoding::kCorner;
  // Whether the selected boxes of all classes and batches are sorted by score, instead of class by class.
  bool sort_result_descending = true;
  ElementType output_type = ElementType::kI64;  // kI64 or kI32.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("box_encoding", box_encoding);
    visitor.Visit("sort_result_descending", sort_result_descending);
    visitor.Visit("output_type", output_type);
  }
};

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_NON_MAX_SUPPRESSION_H_

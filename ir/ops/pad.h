// The attributes of Pad, and where the elements that it adds come from. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_PAD_H_
#define BURIN_IR_OPS_PAD_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

// Where the elements outside the data come from.
enum class PadMode : uint8_t {
  kConstant,   // The pad_value input.
  kEdge,       // The nearest element of the data.
  kReflect,    // The data mirrored at its first and last element, which are not repeated.
  kSymmetric,  // The data mirrored before its first and after its last element, which are repeated.
};

}  // namespace ir

template <>
struct EnumNames<ir::PadMode> {
  static constexpr EnumEntry<ir::PadMode> kEntries[] = {{ir::PadMode::kConstant, "constant"},
                                                        {ir::PadMode::kEdge, "edge"},
                                                        {ir::PadMode::kReflect, "reflect"},
                                                        {ir::PadMode::kSymmetric, "symmetric"}};
};

namespace ir {

struct PadAttributes final : AttributesOf<PadAttributes> {
  using AttributesOf::VisitAttributes;
  PadMode pad_mode = PadMode::kConstant;

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("pad_mode", pad_mode); }
};

// Returns the index in a dimension of `size` elements that padded index `i`, counted from the data's first element,
// comes from; kOutside (ir/ops/family/index_space.h) for those of mode constant. Within the pads that Pad_c3 allows.
int64_t PadSourceIndex(PadMode mode, int64_t i, int64_t size);

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_PAD_H_

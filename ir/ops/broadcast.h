// The attributes of Broadcast. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_BROADCAST_H_
#define BURIN_IR_OPS_BROADCAST_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

// How data's dimensions are matched with the target's.
enum class BroadcastMode : uint8_t {
  kNumpy,          // Aligned at the innermost; data's ones stretch to the target.
  kExplicit,       // By a list of target axes, one per dimension of the data.
  kBidirectional,  // Aligned at the innermost; ones of either side stretch.
};

}  // namespace ir

template <>
struct EnumNames<ir::BroadcastMode> {
  static constexpr EnumEntry<ir::BroadcastMode> kEntries[] = {{ir::BroadcastMode::kNumpy, "numpy"},
                                                              {ir::BroadcastMode::kExplicit, "explicit"},
                                                              {ir::BroadcastMode::kBidirectional, "bidirectional"}};
};

namespace ir {

// Not called BroadcastAttributes: ir/ops/family/elementwise.h has that name for a broadcast rule.
struct BroadcastOpAttributes final : AttributesOf<BroadcastOpAttributes> {
  using AttributesOf::VisitAttributes;
  BroadcastMode mode = BroadcastMode::kNumpy;

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("mode", mode); }
};

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_BROADCAST_H_

// The attributes of Round; the operation itself is RoundOp() of ir/ops/ops.h.
//
// A plain struct: copies are independent, concurrent reads are safe.
#ifndef BURIN_IR_OPS_ROUND_H_
#define BURIN_IR_OPS_ROUND_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

// Says where a number between two integers goes from the middle.
enum class RoundMode : uint8_t { kHalfToEven, kHalfAwayFromZero };

struct RoundAttributes final : AttributesOf<RoundAttributes> {
  RoundMode mode = RoundMode::kHalfToEven;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("mode", mode); }
};

}  // namespace ir

// OpenVINO's files spell the names in either case.
template <>
struct EnumNames<ir::RoundMode> {
  static constexpr EnumEntry<ir::RoundMode> kEntries[] = {
      {ir::RoundMode::kHalfToEven, "half_to_even"},
      {ir::RoundMode::kHalfToEven, "HALF_TO_EVEN"},
      {ir::RoundMode::kHalfAwayFromZero, "half_away_from_zero"},
      {ir::RoundMode::kHalfAwayFromZero, "HALF_AWAY_FROM_ZERO"},
  };
};

}  // namespace burin

#endif  // BURIN_IR_OPS_ROUND_H_

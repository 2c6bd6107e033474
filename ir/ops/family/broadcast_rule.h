// How the shapes of an element-wise operation's inputs are brought to one shape.
//
// The rules are those of OpenVINO's element-wise operations; the operation Broadcast, which moves data by itself, has
// modes of its own. Stateless but for the plain attribute struct; thread-safe.
//
//   none   all shapes are the same.
//   numpy  shapes are aligned at their innermost dimension; a missing or 1-sized dimension stretches.
//   pdpd   the dimensions of the operand of lower rank stand against those of the other from dimension `axis` on
//          (-1: so that the innermost meet); its trailing dimensions of size 1 may reach beyond. Then as numpy. With
//          equal ranks it is numpy's rule, and `axis` must be -1 or 0. Which operand comes first makes no difference.
#ifndef BURIN_IR_OPS_FAMILY_BROADCAST_RULE_H_
#define BURIN_IR_OPS_FAMILY_BROADCAST_RULE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"

namespace burin {
namespace ir {

enum class AutoBroadcast : uint8_t { kNone, kNumpy, kPdpd };

struct BroadcastRule {
  AutoBroadcast mode = AutoBroadcast::kNumpy;
  int64_t axis = -1;  // For kPdpd alone.

  // Visits both members, as `auto_broadcast` and `axis`.
  void VisitAttributes(AttributeVisitor& visitor);
};

// Returns the shape to which both operands broadcast, as far as known; symbols stay where the result provably equals an
// operand. InvalidArgument, without a label, where no sizes could broadcast or `axis` is out of range.
absl::StatusOr<PartialShape> BroadcastOperands(const BroadcastRule& rule, const PartialShape& a, const PartialShape& b);

// Returns `target` as far as it is known after `operand` has been broadcast to it one-way: the operand stretches, the
// target does not. InvalidArgument, without a label, where it cannot.
absl::StatusOr<PartialShape> BroadcastOnto(const BroadcastRule& rule, const PartialShape& target,
                                           const PartialShape& operand);

// Returns `shape` with dimensions of size 1 added (and, under kPdpd, trailing ones dropped), so that it stands against
// a shape of rank `rank` under NumPy's rule. Requires that `rule` allows it, which the functions above check.
Shape AlignShape(const BroadcastRule& rule, const Shape& shape, int64_t rank);

}  // namespace ir

template <>
struct EnumNames<ir::AutoBroadcast> {
  static constexpr EnumEntry<ir::AutoBroadcast> kEntries[] = {
      {ir::AutoBroadcast::kNone, "none"},
      {ir::AutoBroadcast::kNone, "explicit"},
      {ir::AutoBroadcast::kNumpy, "numpy"},
      {ir::AutoBroadcast::kPdpd, "pdpd"},
  };
};

}  // namespace burin

#endif  // BURIN_IR_OPS_FAMILY_BROADCAST_RULE_H_

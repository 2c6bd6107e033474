// The attributes of FakeQuantize; the operation itself is FakeQuantizeOp() of ir/ops/ops.h.
//
// A plain struct: copies are independent, concurrent reads are safe.
#ifndef BURIN_IR_OPS_FAKE_QUANTIZE_H_
#define BURIN_IR_OPS_FAKE_QUANTIZE_H_

#include <cstdint>

#include "ir/attributes.h"
#include "ir/ops/family/broadcast_rule.h"

namespace burin::ir {

struct FakeQuantizeAttributes final : AttributesOf<FakeQuantizeAttributes> {
  int64_t levels = 256;  // How many values the output may take.
  BroadcastRule broadcast;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("levels", levels);
    broadcast.VisitAttributes(visitor);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAKE_QUANTIZE_H_

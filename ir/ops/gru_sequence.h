// The attributes of GRUSequence. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_GRU_SEQUENCE_H_
#define BURIN_IR_OPS_GRU_SEQUENCE_H_

#include "ir/attributes.h"
#include "ir/ops/family/recurrence.h"

namespace burin::ir {

struct GRUSequenceAttributes final : AttributesOf<GRUSequenceAttributes>, RecurrentParameters {
  // Multiplies the proposal's state by the reset gate after R instead of before; B then has a fourth row.
  bool linear_before_reset = false;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    VisitRecurrent(visitor);
    visitor.Visit("linear_before_reset", linear_before_reset);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_GRU_SEQUENCE_H_

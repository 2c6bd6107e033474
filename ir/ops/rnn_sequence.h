// The attributes of RNNSequence. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_RNN_SEQUENCE_H_
#define BURIN_IR_OPS_RNN_SEQUENCE_H_

#include "ir/attributes.h"
#include "ir/ops/family/recurrence.h"

namespace burin::ir {

struct RNNSequenceAttributes final : AttributesOf<RNNSequenceAttributes>, RecurrentParameters {
  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { VisitRecurrent(visitor); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_RNN_SEQUENCE_H_

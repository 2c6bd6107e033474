// The attributes of LSTMSequence. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_LSTM_SEQUENCE_H_
#define BURIN_IR_OPS_LSTM_SEQUENCE_H_

#include "ir/attributes.h"
#include "ir/ops/family/recurrence.h"

namespace burin::ir {

struct LSTMSequenceAttributes final : AttributesOf<LSTMSequenceAttributes>, RecurrentParameters {
  bool input_forget = false;  // Whether the forget gate is what the input gate leaves.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    VisitRecurrent(visitor);
    visitor.Visit("input_forget", input_forget);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_LSTM_SEQUENCE_H_

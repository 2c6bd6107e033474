// The attributes of ReverseSequence. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_REVERSE_SEQUENCE_H_
#define BURIN_IR_OPS_REVERSE_SEQUENCE_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct ReverseSequenceAttributes final : AttributesOf<ReverseSequenceAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t batch_axis = 0;  // The dimension along which the lengths differ; negative counts from the end.
  int64_t seq_axis = 1;    // The dimension that is reversed; negative counts from the end.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("batch_axis", batch_axis);
    visitor.Visit("seq_axis", seq_axis);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_REVERSE_SEQUENCE_H_

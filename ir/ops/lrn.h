// The attributes of LRN. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_LRN_H_
#define BURIN_IR_OPS_LRN_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct LRNAttributes final : AttributesOf<LRNAttributes> {
  double alpha = 1e-4;
  double beta = 0.75;
  double bias = 1;
  int64_t size = 1;  // Side length of the region, at least 1.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("alpha", alpha);
    visitor.Visit("beta", beta);
    visitor.Visit("bias", bias);
    visitor.Visit("size", size);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_LRN_H_

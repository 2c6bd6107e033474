// A total order of a tensor's elements, exact for every type: what the operations that sort share.
//
// Floats compare as numbers, with every NaN equal to every other and above all numbers, and -0 equal to 0. Integers
// compare exactly, 64-bit unsigned ones included; false is below true. Immutable after construction, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_ELEMENT_ORDER_H_
#define BURIN_IR_OPS_FAMILY_ELEMENT_ORDER_H_

#include <cstdint>
#include <vector>

#include "ir/tensor.h"

namespace burin::ir {

class ElementOrder {
 public:
  // Reads all elements of a dense tensor.
  explicit ElementOrder(const Tensor& tensor);

  // Returns whether element `a` comes before element `b`; both count row-major.
  bool Less(int64_t a, int64_t b) const { return keys_[static_cast<size_t>(a)] < keys_[static_cast<size_t>(b)]; }

 private:
  // Order-preserving images of the elements.
  std::vector<uint64_t> keys_;
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_ELEMENT_ORDER_H_

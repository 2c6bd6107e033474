// Says in which types a device computes: a service that a caller hands to passes (ConvertPrecision, IntegerProducts,
// DecompressionMarking) with the PassContext.
//
// Without it models compute in the types that they name, and weights stay as narrow as they are stored. Plain data;
// thread-compatible.
#ifndef BURIN_TRANSFORMATIONS_PRECISION_COMPUTED_TYPES_H_
#define BURIN_TRANSFORMATIONS_PRECISION_COMPUTED_TYPES_H_

#include "base/element_type.h"

namespace burin::transformations {

struct ComputedTypes {
  // Whether what has these types is computed in f32.
  bool widens_f16 = false;
  bool widens_bf16 = false;
  // Whether weights of a narrow type are widened once for all inferences, because no kernel reads them narrow.
  bool widens_weights = false;
  // Whether products and convolutions of i32 are computed in f32 where that is exact, because kernels have no i32.
  bool multiplies_integers_in_f32 = false;

  // Returns whether values of `type` are to be f32.
  bool Widens(ElementType type) const {
    return (type == ElementType::kF16 && widens_f16) || (type == ElementType::kBf16 && widens_bf16);
  }
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_PRECISION_COMPUTED_TYPES_H_

// Tells how far the results of two runs are apart.
//
// Bits are compared, or distances relative to the largest magnitude of an output. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_RESULT_COMPARISON_H_
#define BURIN_TRANSFORMATIONS_FUZZ_RESULT_COMPARISON_H_

#include "base/element_type.h"
#include "ir/tensor.h"

namespace burin::transformations {

// Returns whether both have one type, shape and elements, to the bit but for the bits of NaNs.
bool SameElements(const ir::Tensor& a, const ir::Tensor& b);

// Returns the largest |actual - expected|, in units of the type's distance of 1 from the next number, relative to the
// largest finite magnitude of `expected`: 0 where the elements are the same; infinite for other types or shapes, where
// one is infinite or NaN and the other is not the same, and for any difference between integers or booleans.
double DistanceInUnits(const ir::Tensor& actual, const ir::Tensor& expected);

// Returns the distance of 1 from the next number of a float type.
double UnitOf(ElementType type);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_RESULT_COMPARISON_H_

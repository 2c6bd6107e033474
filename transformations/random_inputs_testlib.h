// Makes random inputs for a model, so that two models can be compared by what they compute.
//
// For tests only. The same generator state gives the same inputs. Not thread-safe.
#ifndef BURIN_TRANSFORMATIONS_RANDOM_INPUTS_TESTLIB_H_
#define BURIN_TRANSFORMATIONS_RANDOM_INPUTS_TESTLIB_H_

#include <cstdint>
#include <random>
#include <vector>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::transformations {

struct RandomInputOptions {
  // Integers lie in this range, as far as the type holds it.
  int64_t min_integer = -4;
  int64_t max_integer = 6;
  // Among the floats are signed zeros, infinities, NaNs, and the largest and smallest magnitudes.
  bool special_floats = false;
  // Dynamic dimensions are at most this much above their lower bound, dynamic ranks at most this.
  int64_t max_dynamic = 4;
};

// Returns a dense tensor of random elements: floats in [-2, 2), booleans 0 and 1.
ir::Tensor RandomTensorOf(std::mt19937_64& random, ElementType type, const ir::Shape& shape,
                          const RandomInputOptions& options);

// Returns one tensor per parameter that the parameter accepts. Dimensions that share a symbol are equal; others are
// drawn from a few sizes, so that unrelated dimensions often agree or are 1.
std::vector<ir::Tensor> RandomInputs(std::mt19937_64& random, const ir::Model& model,
                                     const RandomInputOptions& options);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_RANDOM_INPUTS_TESTLIB_H_

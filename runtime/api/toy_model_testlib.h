// A small model for the tests of the facade, with what they feed it and read from it.
//
// For tests only. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_API_TOY_MODEL_TESTLIB_H_
#define BURIN_RUNTIME_API_TOY_MODEL_TESTLIB_H_

#include <vector>

#include "runtime/api/model.h"
#include "runtime/api/tensor.h"

namespace burin {

// Returns y = relu(x) + b, with x: f32[n,3] and b = {10, 20, 30}; its operations are x, b, relu, sum and y.
Model ToyModel();

// Returns an f32 tensor of as many rows of three as there are values for.
Tensor Row(const std::vector<float>& values);

// Returns the elements of a dense f32 tensor.
std::vector<float> Elements(const Tensor& tensor);

}  // namespace burin

#endif  // BURIN_RUNTIME_API_TOY_MODEL_TESTLIB_H_

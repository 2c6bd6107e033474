// Makes random inputs of a body, with the numbers in them that kernels are wrong on first.
//
// Use it in tests of kernels. Zeros of both signs, denormals where the range has them, and the ends of the range are
// more frequent than chance makes them. The same generator state gives the same inputs. Not thread-safe.
#ifndef BURIN_SNIPPETS_TESTING_RANDOM_INPUTS_H_
#define BURIN_SNIPPETS_TESTING_RANDOM_INPUTS_H_

#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/tensor.h"

namespace burin::snippets {

// Says what the elements of a parameter are.
struct InputRange {
  // Both ends included; integers take what their type holds of it.
  double low = -4;
  double high = 4;
  // Whether floats may be infinite or NaN, a few of them.
  bool special = false;
};

// Returns a dense tensor for each parameter of `body`, all of static shape; a parameter without a range takes the
// default. InvalidArgument for a shape that is not static.
absl::StatusOr<std::vector<ir::Tensor>> RandomInputs(const ir::Model& body, absl::Span<const InputRange> ranges,
                                                     std::mt19937_64& random);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_RANDOM_INPUTS_H_

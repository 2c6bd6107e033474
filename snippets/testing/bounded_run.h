// Evaluates a body with its reference implementations, and bounds how far a kernel of it may be from that.
//
// Use it in tests of kernels of whole bodies, where the tolerance of one operation says little: what an operation may
// be off by is carried through all that read it. Not for operations by themselves: ir/tolerance.h has their bounds.
// Stateless, hence thread-safe.
//
// Every operation may be off by its own tolerance; floats of kernels are f32 throughout where the reference rounds each
// to its type, which lies within. What comes of errors in the inputs is measured: the operation is evaluated again with
// its inputs moved up and down by their bounds. So a comparison of two numbers that may be equal has an unknown result;
// what may be off by much has, too. For reductions, a product is taken to be one of numbers of one sign.
#ifndef BURIN_SNIPPETS_TESTING_BOUNDED_RUN_H_
#define BURIN_SNIPPETS_TESTING_BOUNDED_RUN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/tensor.h"

namespace burin::snippets {

// Is a tensor and how far each element may be from what it should be.
struct BoundedTensor {
  ir::Tensor value;
  // One for each element; infinite where the element may be anything. Empty where all are exact.
  std::vector<double> bounds;
};

// Runs `body`, which consists of primitive operations (snippets/decompose). Errors as of ir::Evaluator::Run().
absl::StatusOr<std::vector<BoundedTensor>> RunBounded(const ir::Model& body, absl::Span<const ir::Tensor> inputs);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_BOUNDED_RUN_H_

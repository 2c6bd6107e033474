// Runs a kernel of a body on guarded memory and compares it with what it should compute.
//
// Use it in tests, below SubgraphRunner. An access beyond an operand ends the process. Stateless, hence thread-safe.
#ifndef BURIN_SNIPPETS_TESTING_KERNEL_CHECK_H_
#define BURIN_SNIPPETS_TESTING_KERNEL_CHECK_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/tensor.h"
#include "snippets/testing/body_kernel.h"

namespace burin::snippets {

// Is an output as it should be. Integers and truth values off by less than 1 are exact.
struct ExpectedOutput {
  ir::Tensor value;
  // How far each element may be from it; infinite for one that may be anything. Empty where all are exact.
  std::vector<double> bounds;
};

// Counts elements by how well they were compared.
struct ComparedElements {
  // Within a thousandth of max(1, |value|), or exact.
  int64_t closely = 0;
  int64_t loosely = 0;
  // May be anything.
  int64_t not_at_all = 0;
};

// Says that an output may take the memory of an input.
struct InPlace {
  int input = 0;
  int output = 0;
};

// Runs all items in random pieces and random order on `inputs`: with every operand and the scratch memory ending at an
// inaccessible page, beginning behind one, and, for each entry of `in_place`, with that output in its input's memory.
// InvalidArgument, naming the first element, where an output is not as expected, is not the same to the bit in all
// these runs, or an input has changed.
absl::StatusOr<ComparedElements> CheckKernel(const BodyKernel& kernel, absl::Span<const ir::Tensor> inputs,
                                             absl::Span<const ExpectedOutput> expected,
                                             absl::Span<const InPlace> in_place, uint64_t seed);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_KERNEL_CHECK_H_

// Runs a model while every float that it may round is changed a little, to see how much that matters.
//
// What comes out of several such runs says how far rounding alone can move an output: far where a model subtracts what
// is nearly equal, or cuts at a number that it has just reached. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_PERTURBED_RUN_H_
#define BURIN_TRANSFORMATIONS_FUZZ_PERTURBED_RUN_H_

#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "transformations/fuzz/fuzz_case.h"

namespace burin::transformations {

// Returns the outputs of each run of the series: each float element of an input, a constant or the output of an
// operation that rounds (what is in bodies aside) is multiplied by 1 + d, with a random |d| of up to `units` distances
// of 1 from the next number of its type. An operation's own error where it refuses.
absl::StatusOr<RunSeries> PerturbedRun(const ir::Model& model, const RunSeries& inputs, double units,
                                       std::mt19937_64& random);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_PERTURBED_RUN_H_

// One case of the fuzzer: a random model, inputs to compare it on, and how exact the comparison is.
//
// A seed says everything: the same seed and steps give the same case. Stateless.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_FUZZ_CASE_H_
#define BURIN_TRANSFORMATIONS_FUZZ_FUZZ_CASE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {

enum class FuzzMode : uint8_t {
  // All element types and special values; passes that round do not run, and outputs are equal to the bit.
  kExact,
  // One float type and tame numbers; all passes run, and outputs differ by rounding alone.
  kRounding,
};

// The inputs of some runs in a row: variables carry over from one to the next.
using RunSeries = std::vector<std::vector<ir::Tensor>>;

struct FuzzCase {
  FuzzMode mode = FuzzMode::kExact;
  std::unique_ptr<ir::Model> model;
  std::vector<RunSeries> samples;
};

// Returns the case of that seed. One model in ten is ir::RandomModel's; `steps` growers at most, drawn from `growers`,
// build each other one, two in five of them for FuzzMode::kRounding.
FuzzCase MakeFuzzCase(uint64_t seed, int steps, absl::Span<const Grower> growers);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_FUZZ_CASE_H_

// How far a model's outputs may be from the expected ones.
//
// Relative to each output's largest magnitude (testing/oracle/compare.h). Stateless, thread-safe.
#ifndef BURIN_TOOLS_CHECK_TOLERANCE_H_
#define BURIN_TOOLS_CHECK_TOLERANCE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "ir/model.h"

namespace burin::check {

// What a model computes in, which decides how much two right implementations may differ.
enum class Arithmetic {
  kFloat32,    // 1e-4
  kFloat16,    // 5e-3: any value of the model is f16 or bf16.
  kQuantized,  // 2e-2: see ClassifyArithmetic.
};

const char* ArithmeticName(Arithmetic arithmetic);

// Returns the coarsest arithmetic found anywhere in the model, bodies included. Quantised means: a Convert between a
// float and an integer type of at most 8 bits (either direction; a model input of such a type, which is data and not a
// quantised value, does not count), or a MatMul or convolution of integers.
Arithmetic ClassifyArithmetic(const ir::Model& model);

// Returns the relative tolerance that goes with it.
double DefaultRelativeTolerance(Arithmetic arithmetic);

// Returns `ort_optdiff_rel` of the meta.json in `folder`: how far another runtime's own optimiser moves this model's
// result. nullopt where there is no such file or entry; InvalidArgument for one that cannot be read.
absl::StatusOr<std::optional<double>> ReadSensitivity(const std::string& folder);

}  // namespace burin::check

#endif  // BURIN_TOOLS_CHECK_TOLERANCE_H_

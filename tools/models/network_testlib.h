// What the tests of networks share: building one in both forms, running it on the reference, and judging the outcome.
//
// For tests. `text` is as in tools/models/builtin.h, without the "builtin:".
#ifndef BURIN_TOOLS_MODELS_NETWORK_TESTLIB_H_
#define BURIN_TOOLS_MODELS_NETWORK_TESTLIB_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/tensor.h"

namespace burin::models {

// Builds the network as ONNX and reads that.
absl::StatusOr<std::unique_ptr<ir::Model>> BuildThroughOnnx(const std::string& text);

// Returns the outputs on made-up inputs; a test fails, and they are empty, where that cannot be done.
std::vector<ir::Tensor> Evaluate(const ir::Model& model, uint64_t seed);

// Expects a valid model of static shapes whose outputs are neither tiny nor huge.
void ExpectSaneModel(const std::string& text);

// Expects the ONNX file to have the same signature and, on the reference, the same outputs.
void ExpectOnnxComputesTheSame(const std::string& text);

// Expects that the first dimension of all inputs can be made dynamic, and then another size.
void ExpectBatchCanBeDynamic(const std::string& text);

// Returns the number of weights: elements of f32 constants that are no scalars.
int64_t WeightCount(const ir::Model& model);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_NETWORK_TESTLIB_H_

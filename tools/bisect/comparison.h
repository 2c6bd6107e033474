// Runs a model and tells whether its outputs part from the expected ones.
//
// What bisection asks again and again. Stateless; thread-safe as far as the functions handed in are.
#ifndef BURIN_TOOLS_BISECT_COMPARISON_H_
#define BURIN_TOOLS_BISECT_COMPARISON_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "runtime/api/core.h"
#include "tools/check/checker.h"

namespace burin::bisect {

// Runs a model; returns its outputs, in the order of its results. A model with variables runs twice in a row, since
// what the first run assigns is seen by the next alone: the outputs of both runs follow each other.
using RunModel = std::function<absl::StatusOr<std::vector<ir::Tensor>>(const ir::Model& model,
                                                                       const std::vector<ir::Tensor>& inputs)>;

// Returns a RunModel that compiles for a device. `core` outlives it.
RunModel RunOnDevice(Core* core, const std::string& device);

struct Parting {
  bool parts = false;
  // A line for each output that parts, or why the model does not run.
  std::string how;
};

// Compares what came out of a model, or the error, with what is expected of `model`, which names the outputs. An error
// parts, and so do outputs of another number, type or shape.
Parting Compare(const ir::Model& model, const absl::StatusOr<std::vector<ir::Tensor>>& actual,
                const std::vector<ir::Tensor>& expected, const check::Bound& bound);

}  // namespace burin::bisect

#endif  // BURIN_TOOLS_BISECT_COMPARISON_H_

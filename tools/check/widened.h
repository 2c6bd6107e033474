// A model whose narrow floats are computed in f32.
//
// Saved outputs of f16 models often come from a runtime that computes them in f32 and rounds seldom. A device that
// rounds after each operation, as their definitions say, differs by what that rounding costs, not by an error.
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_CHECK_WIDENED_H_
#define BURIN_TOOLS_CHECK_WIDENED_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"

namespace burin::check {

// Returns a copy that computes in f32 what `model` has in f16 or bf16 (the pass ConvertPrecision); its inputs and
// outputs keep their types. The pass's own error.
absl::StatusOr<std::unique_ptr<ir::Model>> Widened(const ir::Model& model);

}  // namespace burin::check

#endif  // BURIN_TOOLS_CHECK_WIDENED_H_

// Gives sizes of inputs that nothing is known of names of their own.
//
// Two sizes are known to be equal where they have one name (ir/dimension.h), which shape inference hands on: with names
// x and f(x) have one shape also where the file says none of it, and so may be fused. Stateless, thread-safe for
// different models.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NAME_DIMENSIONS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NAME_DIMENSIONS_H_

#include "absl/status/status.h"
#include "ir/model.h"

namespace burin::cpu {

// Names each dynamic dimension without a symbol of a parameter of `model`, whose rank is known, after the parameter and
// the axis: "x_0". Bodies get them with their inputs. Errors as of ir::Model::InferFrom().
absl::Status NameDimensions(ir::Model* model);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NAME_DIMENSIONS_H_

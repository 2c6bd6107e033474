// Lets a model go of the contents of its large constants.
//
// For a model whose only graph is about to be made: what the kernels need of weights is packed, and what stays of the
// model is for people and for the nodes, which look at operations and small constants alone. Stateless, thread-safe for
// different models.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_RELEASE_CONSTANTS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_RELEASE_CONSTANTS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "ir/model.h"

namespace burin::cpu {

// Constants from this size on are let go; smaller ones, and those that are no floats, may say what an operation does.
inline constexpr size_t kLeastReleasedBytes = 4096;

// In the runtime info of a Constant: that its content was let go, and is not what it says.
inline constexpr char kContentReleasedKey[] = "contentReleased";

// Makes each large Constant one of zeros, which take no memory, and marks it. Errors as of ir::Model::InferFrom(), and
// ResourceExhausted; the model may then be changed in part.
absl::Status ReleaseConstants(ir::Model* model);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_RELEASE_CONSTANTS_H_

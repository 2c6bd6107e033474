// Builds a model from decoded ONNX messages: graphs, names, constants, functions and sub-graphs.
//
// What one operator means is the translators' business (translators.h). The model's initialisers are constants, also
// where the file lists them as inputs with a default value. Functions are inlined. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_MODEL_IMPORT_H_
#define BURIN_RUNTIME_READERS_ONNX_MODEL_IMPORT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/readers/onnx/external_data.h"
#include "runtime/readers/onnx/message/onnx_message.h"
#include "runtime/readers/onnx/message/read_budget.h"

namespace burin::onnx {

// Builds the model. `owner` keeps alive what the messages point into; `external` tells where other bytes lie.
// InvalidArgument where the file breaks ONNX's rules, Unimplemented listing everything that is not supported,
// ResourceExhausted where the file asks for more than the budget.
absl::StatusOr<std::unique_ptr<ir::Model>> ImportModel(const ModelMessage& message, std::shared_ptr<const void> owner,
                                                       ExternalSource external, ReadBudget* budget);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MODEL_IMPORT_H_

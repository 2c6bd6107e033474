// Reads a model file in whichever known format its content has.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_CORE_MODEL_READER_H_
#define BURIN_RUNTIME_CORE_MODEL_READER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ir/model.h"

namespace burin {

// Reads `model_path`; the content, not the extension, says what it is. The file is mapped and stays mapped while the
// model's constants live. NotFound or PermissionDenied for the file itself; InvalidArgument for content of no known
// format or a broken model; Unimplemented for an OpenVINO IR file and for a format that takes `weights_path`.
absl::StatusOr<std::unique_ptr<ir::Model>> ReadModelFile(const std::string& model_path,
                                                         const std::string& weights_path);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_MODEL_READER_H_

// Reads a model, from a file or from memory, in whichever known format its content has.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_CORE_MODEL_READER_H_
#define BURIN_RUNTIME_CORE_MODEL_READER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "ir/tensor.h"

namespace burin {

struct ReadOptions {
  // Maps the files, which then stay mapped, and must not change, while the model's constants live. Without it they are
  // read into memory whole.
  bool use_mmap = true;
};

// Reads `model_path`; the content, not the extension, says what it is. NotFound or PermissionDenied for the file
// itself; InvalidArgument for content of no known format or a broken model; Unimplemented for an OpenVINO IR file and
// for a format that takes `weights_path`. Errors of the content name the file.
absl::StatusOr<std::unique_ptr<ir::Model>> ReadModelFile(const std::string& model_path, const std::string& weights_path,
                                                         const ReadOptions& options = {});

// Reads a model whose file is `bytes`, and whose external data, where it has any, is `weights`: offsets count from that
// tensor's first byte, and the model may name one file alone. Constants point into both and keep their storages; the
// caller keeps the memory of a view alive and changes none of it while the model, a copy, or what was compiled from
// either exists. InvalidArgument also for external data without weights, or in several files, naming them, and for
// weights that are not dense.
absl::StatusOr<std::unique_ptr<ir::Model>> ReadModelFromMemory(std::shared_ptr<ir::Storage> bytes, ir::Tensor weights);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_MODEL_READER_H_

// Opens the files beside a model in which large tensors may lie.
//
// A model may name any path, so only files inside the model's own folder are opened: no absolute path, no "..", and no
// symbolic link that leads out. Each file is mapped once. Not thread-safe; lives for one read (the mappings live as
// long as the tensors that point into them).
#ifndef BURIN_RUNTIME_READERS_ONNX_EXTERNAL_DATA_H_
#define BURIN_RUNTIME_READERS_ONNX_EXTERNAL_DATA_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/mapped_file.h"

namespace burin::onnx {

class ExternalData {
 public:
  // `folder` is the model's; empty where there is none, and then every file is refused.
  explicit ExternalData(std::string folder) : folder_(std::move(folder)) {}

  // Returns the mapped file at `location`, relative to the folder. `newly_opened` tells whether this call mapped it.
  // InvalidArgument where the path leads out of the folder, or MappedFile::Open's error.
  absl::StatusOr<std::shared_ptr<const MappedFile>> Open(absl::string_view location, bool* newly_opened);

 private:
  const std::string folder_;
  std::string real_folder_;                                                    // Resolved at first use.
  absl::flat_hash_map<std::string, std::shared_ptr<const MappedFile>> files_;  // By location.
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_EXTERNAL_DATA_H_

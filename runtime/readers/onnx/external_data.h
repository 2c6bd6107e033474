// Finds the bytes of tensors that do not lie in the model's file: in files beside it, or in memory that the user gives.
//
// A model may name any path, so only files inside the model's own folder are opened: no absolute path, no "..", and no
// symbolic link that leads out. Each file is opened once. Not thread-safe; lives for one read (the bytes live as long
// as the tensors that point into them).
#ifndef BURIN_RUNTIME_READERS_ONNX_EXTERNAL_DATA_H_
#define BURIN_RUNTIME_READERS_ONNX_EXTERNAL_DATA_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/tensor.h"

namespace burin::onnx {

// Where a model's external data is looked for. By default nowhere: every location is refused.
struct ExternalSource {
  // The model's folder; empty where there is none.
  std::string folder = "";
  // Whether files are mapped, or read into memory that later changes of the files do not reach.
  bool use_mmap = true;
  // Where set, dense: the content of the one file that the model names, under whatever name; no file is opened then.
  ir::Tensor weights = {};
};

// All bytes of one location, with what keeps them alive.
struct ExternalBytes {
  absl::string_view bytes;
  std::shared_ptr<const void> owner;
};

class ExternalData {
 public:
  explicit ExternalData(ExternalSource source) : source_(std::move(source)) {}

  // Returns the bytes at `location`; `newly_opened` tells whether this call made them available. InvalidArgument where
  // there is no source, where the path leads out of the folder, or where a second location is asked for although one
  // tensor holds all weights; otherwise the error of opening the file.
  absl::StatusOr<ExternalBytes> Open(absl::string_view location, bool* newly_opened);

 private:
  absl::StatusOr<ExternalBytes> OpenWeights(absl::string_view location) const;
  absl::StatusOr<ExternalBytes> OpenFile(absl::string_view location);

  const ExternalSource source_;
  std::string real_folder_;                                // Resolved at first use.
  absl::flat_hash_map<std::string, ExternalBytes> known_;  // By location.
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_EXTERNAL_DATA_H_

#include "runtime/core/model_reader.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/mapped_file.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/onnx_reader.h"

namespace burin {

namespace {

// As much as any format needs to be recognised.
constexpr size_t kSniffBytes = 4096;

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> ReadModelFile(const std::string& model_path,
                                                         const std::string& weights_path) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const MappedFile> file, MappedFile::Open(model_path));
  const absl::string_view start = file->Bytes().substr(0, kSniffBytes);
  if (start.empty()) return absl::InvalidArgumentError(absl::StrCat("The model file is empty: ", model_path));
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(start), "<")) {
    return absl::UnimplementedError(absl::StrCat("OpenVINO IR (XML) is not read yet: ", model_path));
  }
  if (!onnx::LooksLikeOnnx(start)) {
    return absl::InvalidArgumentError(absl::StrCat("The content is of no known model format (ONNX): ", model_path));
  }
  if (!weights_path.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("An ONNX model names its weights itself; a weights file was given: ", weights_path));
  }
  return onnx::ReadOnnxModel(model_path);
}

}  // namespace burin

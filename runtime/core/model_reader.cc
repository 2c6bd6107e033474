#include "runtime/core/model_reader.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/mapped_file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/onnx_reader.h"

namespace burin {

namespace {

// As much as any format needs to be recognised.
constexpr size_t kSniffBytes = 4096;

// Says OK for a format that is read: of those there is one, ONNX.
absl::Status CheckFormat(const ir::Storage& bytes) {
  const absl::string_view all(static_cast<const char*>(bytes.data()), bytes.size());
  const absl::string_view start = all.substr(0, kSniffBytes);
  if (start.empty()) return absl::InvalidArgumentError("The model is empty");
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(start), "<")) {
    return absl::UnimplementedError("OpenVINO IR (XML) is not read");
  }
  if (!onnx::LooksLikeOnnx(start)) {
    return absl::InvalidArgumentError("The content is of no known model format (ONNX)");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<ir::Storage>> Load(const std::string& path, bool use_mmap) {
  if (use_mmap) {
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(path));
    return ir::Storage::Borrow(file, file->data(), file->size());
  }
  BURIN_ASSIGN_OR_RETURN(std::string content, ReadFile(path));
  const auto owner = std::make_shared<const std::string>(std::move(content));
  return ir::Storage::Borrow(owner, owner->data(), owner->size());
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> ReadModelFile(const std::string& model_path, const std::string& weights_path,
                                                         const ReadOptions& options) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<ir::Storage> bytes, Load(model_path, options.use_mmap));
  const absl::Status format = CheckFormat(*bytes);
  if (!format.ok()) return WithContext(format, model_path);
  if (!weights_path.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("An ONNX model names its weights itself; a weights file was given: ", weights_path));
  }
  absl::StatusOr<std::unique_ptr<ir::Model>> model =
      onnx::ReadOnnxModelFromBytes(std::move(bytes), FolderOf(model_path), options.use_mmap);
  if (!model.ok()) return WithContext(model.status(), model_path);
  return model;
}

absl::StatusOr<std::unique_ptr<ir::Model>> ReadModelFromMemory(std::shared_ptr<ir::Storage> bytes, ir::Tensor weights) {
  if (bytes == nullptr) return absl::InvalidArgumentError("Null storage for a model");
  BURIN_RETURN_IF_ERROR(CheckFormat(*bytes));
  return onnx::ReadOnnxModelFromMemory(std::move(bytes), std::move(weights));
}

}  // namespace burin

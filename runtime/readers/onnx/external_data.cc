#include "runtime/readers/onnx/external_data.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/mapped_file.h"
#include "base/status_macros.h"

namespace burin::onnx {
namespace {

// Returns the path with every symbolic link resolved.
absl::StatusOr<std::string> RealPath(const std::string& path) {
  char* const resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) {
    const int error = errno;
    const std::string text =
        absl::StrCat("Cannot resolve a path of external data (", std::strerror(error), "): ", path);
    return error == ENOENT ? absl::NotFoundError(text) : absl::InvalidArgumentError(text);
  }
  std::string result = resolved;
  free(resolved);
  return result;
}

absl::Status CheckRelative(absl::string_view location) {
  if (location[0] == '/' || location.find('\0') != absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat("External data must lie in the model's folder: ", location));
  }
  for (const absl::string_view piece : absl::StrSplit(location, '/')) {
    if (piece == "..") {
      return absl::InvalidArgumentError(absl::StrCat("External data must lie in the model's folder: ", location));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ExternalBytes> ExternalData::OpenWeights(absl::string_view location) const {
  if (!known_.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "One tensor cannot hold the external data of several files; the model names: ", known_.begin()->first, ", ",
        location));
  }
  const ir::Tensor& weights = source_.weights;
  return ExternalBytes{absl::string_view(static_cast<const char*>(weights.data()), weights.byte_size()),
                       weights.storage()};
}

absl::StatusOr<ExternalBytes> ExternalData::OpenFile(absl::string_view location) {
  if (source_.folder.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The model has external data, but is read from memory without weights; it names the file: ", location));
  }
  BURIN_RETURN_IF_ERROR(CheckRelative(location));
  if (real_folder_.empty()) {
    BURIN_ASSIGN_OR_RETURN(real_folder_, RealPath(source_.folder));
  }
  BURIN_ASSIGN_OR_RETURN(const std::string path, RealPath(absl::StrCat(source_.folder, "/", location)));
  const std::string inside = real_folder_ == "/" ? real_folder_ : real_folder_ + "/";
  if (!absl::StartsWith(path, inside)) {
    return absl::InvalidArgumentError(absl::StrCat("External data must lie in the model's folder: ", location));
  }
  if (source_.use_mmap) {
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(path));
    return ExternalBytes{file->Bytes(), file};
  }
  BURIN_ASSIGN_OR_RETURN(std::string content, ReadFile(path));
  const auto owner = std::make_shared<const std::string>(std::move(content));
  return ExternalBytes{*owner, owner};
}

absl::StatusOr<ExternalBytes> ExternalData::Open(absl::string_view location, bool* newly_opened) {
  *newly_opened = false;
  if (location.empty()) return absl::InvalidArgumentError("External data names no file");
  const auto known = known_.find(location);
  if (known != known_.end()) return known->second;
  BURIN_ASSIGN_OR_RETURN(ExternalBytes bytes, source_.weights.has_value() ? OpenWeights(location) : OpenFile(location));
  known_.emplace(std::string(location), bytes);
  *newly_opened = true;
  return bytes;
}

}  // namespace burin::onnx

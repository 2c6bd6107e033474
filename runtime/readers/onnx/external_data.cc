#include "runtime/readers/onnx/external_data.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
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
  if (location.empty()) return absl::InvalidArgumentError("External data names no file");
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

absl::StatusOr<std::shared_ptr<const MappedFile>> ExternalData::Open(absl::string_view location, bool* newly_opened) {
  *newly_opened = false;
  const auto known = files_.find(location);
  if (known != files_.end()) return known->second;
  if (folder_.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("A model that is read from memory has no folder for external data: ", location));
  }
  BURIN_RETURN_IF_ERROR(CheckRelative(location));
  if (real_folder_.empty()) {
    BURIN_ASSIGN_OR_RETURN(real_folder_, RealPath(folder_));
  }
  BURIN_ASSIGN_OR_RETURN(const std::string path, RealPath(absl::StrCat(folder_, "/", location)));
  const std::string inside = real_folder_ == "/" ? real_folder_ : real_folder_ + "/";
  if (!absl::StartsWith(path, inside)) {
    return absl::InvalidArgumentError(absl::StrCat("External data must lie in the model's folder: ", location));
  }
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const MappedFile> file, MappedFile::Open(path));
  files_.emplace(std::string(location), file);
  *newly_opened = true;
  return file;
}

}  // namespace burin::onnx

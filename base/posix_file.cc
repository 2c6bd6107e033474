#include "base/posix_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace burin {
namespace internal {

absl::Status FileError(int error_number, absl::string_view action, const std::string& path) {
  const std::string text = absl::StrCat(action, ": ", path);
  switch (error_number) {
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return absl::InvalidArgumentError(absl::ErrnoToStatus(error_number, text).message());
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(absl::ErrnoToStatus(error_number, text).message());
    default:
      return absl::ErrnoToStatus(error_number, text);
  }
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.Release()) {}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

int FileDescriptor::Release() { return std::exchange(fd_, -1); }

absl::StatusOr<OpenedFile> OpenRegularFile(const std::string& path) {
  // O_NONBLOCK keeps the opening of a pipe without a writer from waiting; regular files ignore it.
  FileDescriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.get() < 0) {
    // A socket or a device without a driver cannot be opened at all.
    if (errno == ENXIO || errno == ENODEV) {
      return absl::InvalidArgumentError(absl::StrCat("Not a regular file: ", path));
    }
    return FileError(errno, "Cannot open file", path);
  }
  struct stat info;
  if (fstat(descriptor.get(), &info) != 0) return FileError(errno, "Cannot examine file", path);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(S_ISDIR(info.st_mode) ? "Path is a directory: " : "Not a regular file: ", path));
  }
  return OpenedFile{std::move(descriptor), static_cast<size_t>(info.st_size)};
}

}  // namespace internal
}  // namespace burin

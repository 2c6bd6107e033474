#include "base/file.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/posix_file.h"
#include "base/status_macros.h"

namespace burin {
namespace {

using internal::FileDescriptor;
using internal::FileError;

// A path that is removed at the end of its scope unless it was renamed away.
class TemporaryPath {
 public:
  explicit TemporaryPath(std::string path) : path_(std::move(path)) {}
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath() {
    if (!path_.empty()) unlink(path_.c_str());
  }

  const std::string& path() const { return path_; }
  void Disarm() { path_.clear(); }

 private:
  std::string path_;
};

// Creates a new file in `folder` (which ends in '/' or is empty) for writing; sets `path` to its path.
absl::StatusOr<FileDescriptor> CreateTemporary(const std::string& folder, std::string* path) {
  static std::atomic<uint64_t> counter(0);
  // A name can be taken only by the remains of a killed process that had this process's id.
  constexpr int kMaxAttempts = 1000;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    *path = absl::StrCat(folder, ".burin-", getpid(), "-", counter.fetch_add(1), ".tmp");
    const int fd = open(path->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0) return FileDescriptor(fd);
    if (errno != EEXIST) return FileError(errno, "Cannot create file", *path);
  }
  return FileError(EEXIST, "Cannot create file", *path);
}

absl::Status WriteAll(int fd, absl::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError(errno, "Cannot write file", path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Makes the new name in `folder` durable. Some file systems cannot synchronise a folder (EINVAL); there is nothing more
// to do on those.
absl::Status SynchronizeFolder(const std::string& folder) {
  const std::string path = folder.empty() ? "." : folder;
  const FileDescriptor descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that may be written but not read cannot be opened; the rename has happened all the same.
  if (descriptor.get() < 0) return errno == EACCES ? absl::OkStatus() : FileError(errno, "Cannot open folder", path);
  if (fsync(descriptor.get()) != 0 && errno != EINVAL) return FileError(errno, "Cannot synchronize folder", path);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  BURIN_ASSIGN_OR_RETURN(const internal::OpenedFile file, internal::OpenRegularFile(path));
  std::string bytes(file.size, '\0');
  size_t filled = 0;
  // Reads one byte more than the size, so that the end is seen: the file may have grown, and those of /proc report 0.
  while (true) {
    if (filled == bytes.size()) bytes.resize(bytes.size() + (filled == file.size ? 1 : bytes.size()));
    const ssize_t got = read(file.descriptor.get(), &bytes[filled], bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError(errno, "Cannot read file", path);
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view bytes) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  if (folder.size() == path.size()) {
    return absl::InvalidArgumentError(absl::StrCat("Path has no file name: \"", path, "\""));
  }
  std::string temporary_path;
  BURIN_ASSIGN_OR_RETURN(FileDescriptor descriptor, CreateTemporary(folder, &temporary_path));
  TemporaryPath temporary(std::move(temporary_path));
  BURIN_RETURN_IF_ERROR(WriteAll(descriptor.get(), bytes, temporary.path()));
  if (fsync(descriptor.get()) != 0) return FileError(errno, "Cannot synchronize file", temporary.path());
  // Network file systems report a full disk here.
  if (close(descriptor.Release()) != 0) return FileError(errno, "Cannot close file", temporary.path());
  if (rename(temporary.path().c_str(), path.c_str()) != 0) return FileError(errno, "Cannot replace file", path);
  temporary.Disarm();
  return SynchronizeFolder(folder);
}

}  // namespace burin

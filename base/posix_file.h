// Opens regular files and turns errno into Status; shared by the readers of files in this folder.
//
// Private to base: other code uses base/file.h and base/mapped_file.h. Stateless, hence thread-safe.
#ifndef BURIN_BASE_POSIX_FILE_H_
#define BURIN_BASE_POSIX_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin {
namespace internal {

// Returns the error of a file operation: "action: path: reason", with the code that base/file.h promises for
// `error_number`.
absl::Status FileError(int error_number, absl::string_view action, const std::string& path);

// Owns an open file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor();

  // Returns the descriptor; -1 once it was released.
  int get() const { return fd_; }

  // Gives up ownership and returns the descriptor.
  int Release();

 private:
  int fd_;
};

// Holds a file opened for reading, and its size in bytes at that time.
struct OpenedFile {
  FileDescriptor descriptor;
  size_t size;
};

// Opens the regular file at `path` for reading. InvalidArgument for directories, pipes, devices and sockets; otherwise
// as FileError says. Never blocks on a pipe.
absl::StatusOr<OpenedFile> OpenRegularFile(const std::string& path);

}  // namespace internal
}  // namespace burin

#endif  // BURIN_BASE_POSIX_FILE_H_

// Maps a file into memory for reading.
//
// Use it for weights and cached blobs, which are shared without a copy: whoever points into the bytes keeps the
// shared_ptr. Not for small text files (ReadFile in base/file.h) and not for files that another process may truncate:
// touching a page past a new end raises SIGBUS. Immutable after `Open`, hence safe from any thread.
#ifndef BURIN_BASE_MAPPED_FILE_H_
#define BURIN_BASE_MAPPED_FILE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin {

// Holds one read-only private mapping of a whole file until the last reference goes.
class MappedFile {
 public:
  // Maps the file at `path`. An empty file gives size 0 and null data. NotFound when there is none, PermissionDenied
  // when it may not be read, InvalidArgument when it is a directory or another non-regular file, ResourceExhausted when
  // the address space or the descriptors are used up.
  static absl::StatusOr<std::shared_ptr<const MappedFile>> Open(const std::string& path);

  // Gives back the memory of those whole pages of a live mapping that lie in the `bytes` bytes from `data` on: for what
  // will hardly be read again. Who reads it all the same gets it from the file once more. Does nothing for memory that
  // is of no mapping, so that who has only a pointer may ask.
  static void ReleasePages(const void* data, size_t bytes);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  // Returns the first byte, aligned to a page, or null for an empty file.
  const void* data() const { return data_; }

  // Returns the size in bytes at the time of `Open`.
  size_t size() const { return size_; }

  // Returns the path that was given to `Open`.
  const std::string& path() const { return path_; }

  // Returns all bytes; valid as long as this object.
  absl::string_view Bytes() const { return absl::string_view(static_cast<const char*>(data_), size_); }

 private:
  MappedFile(std::string path, void* data, size_t size);

  const std::string path_;
  void* const data_;
  const size_t size_;
};

}  // namespace burin

#endif  // BURIN_BASE_MAPPED_FILE_H_

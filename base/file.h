// Reads and writes whole files.
//
// Use it for texts and blobs that are wanted in memory at once. Not for large weights (base/mapped_file.h maps them
// without a copy). The functions are stateless and safe from any thread; two concurrent writers of one path leave the
// bytes of one of them, whole.
#ifndef BURIN_BASE_FILE_H_
#define BURIN_BASE_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin {

// Returns the bytes of the regular file at `path`. NotFound, PermissionDenied, InvalidArgument for a directory or
// another non-regular file, ResourceExhausted when descriptors or memory are used up.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Makes `path` a file with exactly `bytes`, durably: a reader, also after a crash, sees the old file or the new one and
// never a part. A temporary file in the same folder is written, synchronised and renamed; it is removed on every error
// return (a killed process may leave it, named ".burin-*.tmp"). An existing symbolic link is replaced, not followed.
// NotFound when the folder does not exist, PermissionDenied, ResourceExhausted when the disk or the quota is full,
// InvalidArgument when `path` is a directory or has no file name.
absl::Status WriteFileAtomically(const std::string& path, absl::string_view bytes);

}  // namespace burin

#endif  // BURIN_BASE_FILE_H_

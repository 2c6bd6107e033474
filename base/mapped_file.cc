#include "base/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <memory>
#include <string>

#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "base/posix_file.h"
#include "base/status_macros.h"

namespace burin {

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::Open(const std::string& path) {
  BURIN_ASSIGN_OR_RETURN(const internal::OpenedFile file, internal::OpenRegularFile(path));
  void* data = nullptr;
  if (file.size != 0) {
    data = mmap(nullptr, file.size, PROT_READ, MAP_PRIVATE, file.descriptor.get(), 0);
    if (data == MAP_FAILED) return internal::FileError(errno, "Cannot map file", path);
  }
  // The constructor is private, so std::make_shared cannot be used.
  return std::shared_ptr<const MappedFile>(absl::WrapUnique(new MappedFile(path, data, file.size)));
}

MappedFile::~MappedFile() {
  if (size_ != 0) munmap(data_, size_);
}

}  // namespace burin

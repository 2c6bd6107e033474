#include "base/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "base/posix_file.h"
#include "base/status_macros.h"

namespace burin {

namespace {

// The live mappings of the process, from the first byte to the end.
class Mappings {
 public:
  static Mappings& OfProcess() {
    static auto* const mappings = new Mappings;
    return *mappings;
  }

  void Add(uintptr_t begin, uintptr_t end) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_[begin] = end;
  }

  void Remove(uintptr_t begin) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_.erase(begin);
  }

  // Gives back the whole pages of one mapping that lie in the range. The lock keeps the mapping.
  void Release(uintptr_t begin, uintptr_t end) {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto after = ends_.upper_bound(begin);
    if (after == ends_.begin() || end > std::prev(after)->second) return;
    const uintptr_t first = (begin + page - 1) / page * page;
    const uintptr_t last = end / page * page;
    // Of a private mapping that nobody writes to, what is dropped is the same when it is read again.
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  }

 private:
  std::mutex mutex_;
  std::map<uintptr_t, uintptr_t> ends_;  // By beginning; guarded by mutex_.
};

}  // namespace

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

MappedFile::MappedFile(std::string path, void* data, size_t size) : path_(std::move(path)), data_(data), size_(size) {
  const auto begin = reinterpret_cast<uintptr_t>(data_);
  if (size_ != 0) Mappings::OfProcess().Add(begin, begin + size_);
}

MappedFile::~MappedFile() {
  if (size_ == 0) return;
  Mappings::OfProcess().Remove(reinterpret_cast<uintptr_t>(data_));
  munmap(data_, size_);
}

void MappedFile::ReleasePages(const void* data, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  Mappings::OfProcess().Release(begin, begin + bytes);
}

}  // namespace burin

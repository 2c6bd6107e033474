#include "base/aligned_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace burin {

namespace {

// The page of x86-64 that is next in size.
constexpr size_t kHugePage = size_t{2} << 20;

// Asks for huge pages, of which the first touch costs a fault for 2 MB instead of one for 4 KB. Of those alone that lie
// in the block as a whole, so that no more memory is taken than by small ones.
void AdviseHugePages(void* data, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t first = (begin + kHugePage - 1) & ~(kHugePage - 1);
  const uintptr_t last = (begin + bytes) & ~(kHugePage - 1);
  // Where the system has none, small ones do.
  if (first < last) (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace

absl::StatusOr<AlignedBuffer> AlignedBuffer::Create(size_t bytes, size_t alignment) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return absl::InvalidArgumentError(absl::StrCat("Alignment is not a power of two: ", alignment));
  }
  // No object may pass PTRDIFF_MAX bytes, and below it the rounding cannot overflow.
  if (bytes > PTRDIFF_MAX || alignment > PTRDIFF_MAX - bytes) {
    return absl::ResourceExhaustedError(absl::StrCat("Buffer is larger than the address space, in bytes: ", bytes));
  }
  const size_t capacity = std::max(alignment, (bytes + alignment - 1) & ~(alignment - 1));
  void* data = nullptr;
  // posix_memalign asks for a multiple of the size of a pointer. What is large starts with a huge page.
  const size_t least = capacity >= 2 * kHugePage ? kHugePage : sizeof(void*);
  if (posix_memalign(&data, std::max(alignment, least), capacity) != 0) {
    return absl::ResourceExhaustedError(absl::StrCat("Out of memory; bytes asked for: ", capacity));
  }
  if (capacity >= kHugePage) AdviseHugePages(data, capacity);
  return AlignedBuffer(data, bytes, capacity);
}

AlignedBuffer::AlignedBuffer(AlignedBuffer&& other) noexcept
    : data_(std::move(other.data_)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

AlignedBuffer& AlignedBuffer::operator=(AlignedBuffer&& other) noexcept {
  data_ = std::move(other.data_);
  size_ = std::exchange(other.size_, 0);
  capacity_ = std::exchange(other.capacity_, 0);
  return *this;
}

}  // namespace burin

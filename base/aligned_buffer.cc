#include "base/aligned_buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace burin {

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
  // posix_memalign asks for a multiple of the size of a pointer.
  if (posix_memalign(&data, std::max(alignment, sizeof(void*)), capacity) != 0) {
    return absl::ResourceExhaustedError(absl::StrCat("Out of memory; bytes asked for: ", capacity));
  }
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

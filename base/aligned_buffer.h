// Owns one aligned, uninitialised block of bytes.
//
// Use it for tensor data, packed weights and scratch memory. Not for typed containers (std::vector) nor for executable
// memory. A buffer is a move-only value: it has no lock, and its bytes may be shared between threads like any memory.
#ifndef BURIN_BASE_ALIGNED_BUFFER_H_
#define BURIN_BASE_ALIGNED_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "absl/status/statusor.h"

namespace burin {

// Holds `size()` bytes at an aligned address. `capacity()` is `size()` rounded up to the alignment and at least one
// alignment unit, so an aligned access of up to the alignment that touches any byte of the buffer stays inside it
// (64-byte vectors with the default alignment). An unaligned 64-byte load of the last byte does not.
class AlignedBuffer {
 public:
  // The alignment of buffers by default, in bytes: one cache line, which is also one 512-bit vector.
  static constexpr size_t kDefaultAlignment = 64;

  // Returns a buffer of `bytes` uninitialised bytes; 0 is valid and gives a non-null `data()`. InvalidArgument when
  // `alignment` is not a power of two, ResourceExhausted when the memory cannot be had.
  static absl::StatusOr<AlignedBuffer> Create(size_t bytes, size_t alignment = kDefaultAlignment);

  // Makes an empty buffer: null data, size and capacity 0. A moved-from buffer is empty too.
  AlignedBuffer() = default;
  AlignedBuffer(AlignedBuffer&& other) noexcept;
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept;

  // Returns the first byte.
  void* data() { return data_.get(); }
  const void* data() const { return data_.get(); }

  // Returns the number of bytes asked for.
  size_t size() const { return size_; }

  // Returns the number of bytes that may be touched from `data()` on.
  size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(void* data) const { std::free(data); }
  };

  AlignedBuffer(void* data, size_t size, size_t capacity) : data_(data), size_(size), capacity_(capacity) {}

  std::unique_ptr<void, Free> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace burin

#endif  // BURIN_BASE_ALIGNED_BUFFER_H_

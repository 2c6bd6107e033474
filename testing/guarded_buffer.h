// Owns memory with an inaccessible page right before its first byte, or right behind its last.
//
// Use it in tests of generated code, which sanitizers do not see: an access beyond an operand ends the process. Place
// each operand once at each side, since only whole pages can be protected. Not for production code. A buffer may be
// used by any thread, as memory is; moving and destroying are for one.
#ifndef BURIN_TESTING_GUARDED_BUFFER_H_
#define BURIN_TESTING_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"

namespace burin {

// Says which end of the memory touches an inaccessible page.
enum class GuardedEnd { kFirstByte, kLastByte };

// Holds the memory, zeros at first. Move-only.
class GuardedBuffer {
 public:
  // Allocates `bytes` bytes, which may be 0. ResourceExhausted where the system has no memory. At kLastByte the start
  // is aligned as far as `bytes` is a multiple of a power of two, at kFirstByte to a page. Under qemu (BURIN_EMULATED),
  // whose masked loads touch what they do not load, the page behind lies 64 bytes further.
  static absl::StatusOr<GuardedBuffer> Create(size_t bytes, GuardedEnd end);

  GuardedBuffer(GuardedBuffer&& other) noexcept
      : mapping_(std::exchange(other.mapping_, nullptr)),
        mapped_bytes_(other.mapped_bytes_),
        data_(other.data_),
        size_(other.size_) {}
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;
  ~GuardedBuffer();

  // Returns the address of the first byte; as elements of type T, for which it must be aligned well enough.
  uint8_t* data() const { return data_; }
  template <class T>
  T* As() const {
    return reinterpret_cast<T*>(data_);
  }

  // Returns the number of bytes.
  size_t size() const { return size_; }

 private:
  GuardedBuffer(void* mapping, size_t mapped_bytes, uint8_t* data, size_t size)
      : mapping_(mapping), mapped_bytes_(mapped_bytes), data_(data), size_(size) {}

  void* mapping_;
  size_t mapped_bytes_;
  uint8_t* data_;
  size_t size_;
};

}  // namespace burin

#endif  // BURIN_TESTING_GUARDED_BUFFER_H_

// Collects the constants of one kernel, each kept once, in the layout in which they follow its code.
//
// Use it through Assembler::constants(), which addresses the constants relative to the instruction pointer. Not for
// data that is larger than a few vectors (weights are arguments). A pool belongs to one thread.
//
// Typed: a value is kept by its bytes, so that the float 1.0f and the integer 0x3f800000 share theirs.
#ifndef BURIN_JIT_ASM_CONSTANT_POOL_H_
#define BURIN_JIT_ASM_CONSTANT_POOL_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace burin::jit {

// Tells where a constant lies: `offset` bytes into the pool, `size` bytes long.
struct Constant {
  uint32_t offset = 0;
  uint32_t size = 0;
};

// Holds the bytes of the constants. Offsets are relative to the pool's start, which is aligned to kAlignment.
class ConstantPool {
 public:
  // The alignment of the pool, in bytes, and the largest of a constant.
  static constexpr size_t kAlignment = 64;

  // Returns the place of one element, aligned to its size: for broadcasting loads.
  template <class T>
  Constant Scalar(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "a scalar constant is a number");
    return Add(absl::string_view(reinterpret_cast<const char*>(&value), sizeof(value)), sizeof(value));
  }

  // Returns the place of `bytes` bytes that repeat one element, aligned to `bytes`: a whole vector. `bytes` is 16, 32
  // or 64 (BURIN_CHECK).
  template <class T>
  Constant Repeated(T value, size_t bytes) {
    static_assert(std::is_arithmetic_v<T>, "a repeated constant is a number");
    return AddRepeated(absl::string_view(reinterpret_cast<const char*>(&value), sizeof(value)), bytes);
  }

  // Returns the place of a table of elements, aligned to its size rounded up to a power of two, at most kAlignment. A
  // table is not empty (BURIN_CHECK).
  template <class T>
  Constant Table(absl::Span<const T> values) {
    static_assert(std::is_arithmetic_v<T>, "a table holds numbers");
    return AddTable(absl::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
  }

  // Returns the place of these bytes at a multiple of `alignment`, a power of two up to kAlignment (BURIN_CHECK). Bytes
  // that were added before at a place so aligned are shared.
  Constant Add(absl::string_view bytes, size_t alignment);

  // Returns the bytes so far; those between constants are 0.
  const std::vector<uint8_t>& bytes() const { return bytes_; }

  // Returns how many bytes were asked for and not stored again.
  size_t shared_bytes() const { return shared_bytes_; }

 private:
  Constant AddRepeated(absl::string_view element, size_t bytes);
  Constant AddTable(absl::string_view bytes);

  std::vector<uint8_t> bytes_;
  // From the bytes of a constant to its best aligned place.
  absl::flat_hash_map<std::string, uint32_t> offsets_;
  size_t shared_bytes_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_CONSTANT_POOL_H_

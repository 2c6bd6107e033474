// Fingerprints bytes and plain values in 128 bits, the same on every run, build and machine.
//
// Use it for keys that live in files or must agree between processes: models, cache entries, kernel specs. Not
// cryptographic: it resists accident, not an adversary, so never use it to authenticate. Not for in-memory hash tables
// of ordinary keys (absl::Hash is faster there); a `Hash128` itself is a good table key.
//
// The algorithm is XXH3-128 with seed 0, whose output is frozen. `Hash128` is a value type; a `Hasher` belongs to one
// thread at a time.
#ifndef BURIN_BASE_HASH_H_
#define BURIN_BASE_HASH_H_

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin {

// Holds a 128-bit fingerprint.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;

  // Returns 32 lower-case hexadecimal digits, the most significant first.
  std::string ToHex() const;

  // Parses what `ToHex` returns; upper-case digits are accepted. InvalidArgument for anything but 32 digits.
  static absl::StatusOr<Hash128> FromHex(absl::string_view hex);

  friend bool operator==(const Hash128& a, const Hash128& b) { return a.high == b.high && a.low == b.low; }
  friend bool operator!=(const Hash128& a, const Hash128& b) { return !(a == b); }
  friend bool operator<(const Hash128& a, const Hash128& b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
  template <class H>
  friend H AbslHashValue(H state, const Hash128& hash) {
    return H::combine(std::move(state), hash.high, hash.low);
  }
  friend std::ostream& operator<<(std::ostream& out, const Hash128& hash) { return out << hash.ToHex(); }
};

// Returns the fingerprint of `size` bytes; equals a Hasher that was given those bytes with `Update`.
Hash128 HashBytes(const void* data, size_t size);

// Fingerprints a sequence of values. Values are written into one byte stream without tags: a caller that hashes fields
// of varying number or kind writes a count or a tag first. Copying a Hasher forks the stream.
class Hasher {
 public:
  Hasher();

  // Appends `size` raw bytes, without their length. `data` may be null where `size` is 0.
  void Update(const void* data, size_t size);

  // Appends the length and then the bytes, so that adjacent strings cannot run together.
  void UpdateString(absl::string_view text);

  // Appends an integer, boolean or enumerator as 64 little-endian bits, sign-extended where its type is signed: equal
  // values of different signed widths give equal streams.
  template <class T, class = std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>>>
  void UpdateInt(T value) {
    UpdateWord(static_cast<uint64_t>(value));
  }

  // Appends the 64 bits of the double: 0.0 and -0.0 differ, and so do NaNs of different bits.
  void UpdateDouble(double value);

  // Appends a fingerprint, the low half first.
  void Update(const Hash128& hash);

  // Returns the fingerprint of everything appended so far. More may be appended afterwards.
  Hash128 Finish() const;

 private:
  void UpdateWord(uint64_t word);

  // The state of the streaming algorithm (XXH3_state_t), opaque so that clients do not see its header.
  alignas(64) unsigned char state_[576];
};

}  // namespace burin

#endif  // BURIN_BASE_HASH_H_

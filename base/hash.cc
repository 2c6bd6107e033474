#include "base/hash.h"

#include <cstdint>
#include <new>
#include <string>
#include <type_traits>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xxhash.h"

namespace burin {
namespace {

static_assert(sizeof(XXH3_state_t) <= 576 && alignof(XXH3_state_t) <= 64, "Hasher::state_ must hold the state");
static_assert(std::is_trivially_copyable_v<XXH3_state_t>, "copying a Hasher copies the bytes of the state");

XXH3_state_t* AsState(unsigned char* bytes) { return std::launder(reinterpret_cast<XXH3_state_t*>(bytes)); }

const XXH3_state_t* AsState(const unsigned char* bytes) {
  return std::launder(reinterpret_cast<const XXH3_state_t*>(bytes));
}

Hash128 FromXxh(XXH128_hash_t hash) { return Hash128{hash.high64, hash.low64}; }

// Returns the value of a hexadecimal digit, or -1.
int DigitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string Hash128::ToHex() const {
  return absl::StrCat(absl::Hex(high, absl::kZeroPad16), absl::Hex(low, absl::kZeroPad16));
}

absl::StatusOr<Hash128> Hash128::FromHex(absl::string_view hex) {
  if (hex.size() != 32) {
    return absl::InvalidArgumentError(
        absl::StrCat("A 128-bit hash takes 32 hexadecimal digits; characters given: ", hex.size()));
  }
  uint64_t words[2] = {0, 0};
  for (size_t i = 0; i < hex.size(); ++i) {
    const int digit = DigitValue(hex[i]);
    if (digit < 0) {
      return absl::InvalidArgumentError(absl::StrCat("Not a hexadecimal digit in a 128-bit hash, at offset ", i));
    }
    words[i / 16] = words[i / 16] << 4 | static_cast<uint64_t>(digit);
  }
  return Hash128{words[0], words[1]};
}

Hash128 HashBytes(const void* data, size_t size) { return FromXxh(XXH3_128bits(data, size)); }

Hasher::Hasher() {
  // Zeroed first, because resetting leaves the input buffer alone and a copy reads all of it.
  XXH3_state_t* const state = new (state_) XXH3_state_t();
  XXH3_128bits_reset(state);
}

void Hasher::Update(const void* data, size_t size) {
  if (size == 0) return;
  XXH3_128bits_update(AsState(state_), data, size);
}

void Hasher::UpdateString(absl::string_view text) {
  UpdateWord(text.size());
  Update(text.data(), text.size());
}

void Hasher::UpdateDouble(double value) { UpdateWord(absl::bit_cast<uint64_t>(value)); }

void Hasher::Update(const Hash128& hash) {
  UpdateWord(hash.low);
  UpdateWord(hash.high);
}

void Hasher::UpdateWord(uint64_t word) {
  // x86 is little-endian, as the contract says.
  Update(&word, sizeof(word));
}

Hash128 Hasher::Finish() const { return FromXxh(XXH3_128bits_digest(AsState(state_))); }

}  // namespace burin

// The counter-based random number generator Philox4x32-10.
//
// Its numbers are a pure function of a key and a counter: there is no state, and any of them is computed by itself. Not
// for secrets. From Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011). Stateless,
// thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_PHILOX_H_
#define BURIN_IR_OPS_FAMILY_PHILOX_H_

#include <array>
#include <cstdint>

namespace burin::ir {

// Returns four random words. Words of key and counter come least significant first.
inline std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  constexpr uint64_t kMultipliers[] = {0xD2511F53, 0xCD9E8D57};
  // The fractions of the golden ratio and of sqrt(3) - 1, by which the key advances.
  constexpr uint32_t kWeyl[] = {0x9E3779B9, 0xBB67AE85};
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultipliers[0] * counter[0];
    const uint64_t product1 = kMultipliers[1] * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += kWeyl[0];
    key[1] += kWeyl[1];
  }
  return counter;
}

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_PHILOX_H_

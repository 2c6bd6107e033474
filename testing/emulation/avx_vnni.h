// The arithmetic of the AVX-VNNI instructions: VPDPBUSD, VPDPBUSDS, VPDPWSSD, VPDPWSSDS on lanes of 32 bits.
//
// Async-signal-safe; stateless. Source: the operation sections of these instructions in the Intel SDM, volume 2.
#ifndef BURIN_TESTING_EMULATION_AVX_VNNI_H_
#define BURIN_TESTING_EMULATION_AVX_VNNI_H_

#include <cstdint>

namespace burin::emulation {

enum class VnniKind : uint8_t {
  kU8S8,    // VPDPBUSD[S]: bytes of `a` are unsigned, bytes of `b` signed.
  kS16S16,  // VPDPWSSD[S]
};

// Adds to each of the `lanes` 32-bit lanes of `sum` the dot product of that lane of `a` and `b`: exact, then wrapped
// or, where `saturates`, clamped.
void VnniDot(VnniKind kind, bool saturates, int lanes, const uint8_t* a, const uint8_t* b, uint8_t* sum);

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_AVX_VNNI_H_

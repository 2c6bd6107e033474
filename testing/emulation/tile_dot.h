// The arithmetic of the AMX dot products, on rows of 64 bytes.
//
// For tile_state.h, which checks the operands. Async-signal-safe; stateless. Source: the operation sections of TDPB*D,
// TDPBF16PS and TDPFP16PS in the Intel Architecture Instruction Set Extensions manual.
#ifndef BURIN_TESTING_EMULATION_TILE_DOT_H_
#define BURIN_TESTING_EMULATION_TILE_DOT_H_

#include <cstdint>

namespace burin::emulation {

// c is rows x columns, a is rows x depth, b is depth x columns; counted in elements of four bytes, at most 16 each.
struct DotShape {
  int rows = 0;
  int columns = 0;
  int depth = 0;
};

enum class HalfType : uint8_t { kBf16, kF16 };

// c += a . b, where four bytes of a dword of `a` meet four of `b`; 32-bit sums wrap.
void DotInt8(const DotShape& shape, bool is_a_signed, bool is_b_signed, const uint8_t a[][64], const uint8_t b[][64],
             uint8_t c[][64]);

// c += a . b in f32, where two halves of a dword of `a` meet two of `b`: products of even and of odd halves are summed
// apart by FMA over the whole depth, then c + (even + odd). Rounds to nearest even, takes denormals for zero and
// flushes them, whatever MXCSR says, and leaves MXCSR as it was. Requires AVX2, FMA and F16C.
void DotHalf(const DotShape& shape, HalfType type, const uint8_t a[][64], const uint8_t b[][64], uint8_t c[][64]);

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_TILE_DOT_H_

#include "testing/emulation/tile_dot.h"

#include <immintrin.h>

#include <cstring>

namespace burin::emulation {
namespace {

constexpr int kMaxDwords = 16;
// Round to nearest, all exceptions masked, denormals are zero, results flushed.
constexpr unsigned kAmxMxcsr = 0x9fc0;

int Extended(uint8_t byte, bool is_signed) { return is_signed ? static_cast<int8_t>(byte) : byte; }

// The halves of a row of dwords, even ones and odd ones apart.
struct SplitRow {
  alignas(32) float even[kMaxDwords];
  alignas(32) float odd[kMaxDwords];
};

__attribute__((target("avx2,fma,f16c"))) __m256 Widened(const uint8_t* halves, HalfType type) {
  const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves));
  if (type == HalfType::kF16) return _mm256_cvtph_ps(eight);
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(eight), 16));
}

__attribute__((target("avx2,fma,f16c"))) void Split(const uint8_t* row, HalfType type, SplitRow* split) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    alignas(32) float halves[8];
    _mm256_store_ps(halves, Widened(row + 16 * quarter, type));
    for (int i = 0; i < 4; ++i) {
      split->even[4 * quarter + i] = halves[2 * i];
      split->odd[4 * quarter + i] = halves[2 * i + 1];
    }
  }
}

// Not inlined: the arithmetic must not move across the writes of MXCSR around its call.
__attribute__((noinline, target("avx2,fma,f16c"))) void AddProducts(const DotShape& shape, HalfType type,
                                                                    const uint8_t a[][64], const uint8_t b[][64],
                                                                    uint8_t c[][64]) {
  SplitRow b_rows[kMaxDwords];
  for (int k = 0; k < shape.depth; ++k) Split(b[k], type, &b_rows[k]);
  for (int row = 0; row < shape.rows; ++row) {
    SplitRow a_row;
    Split(a[row], type, &a_row);
    for (int part = 0; part < kMaxDwords; part += 8) {
      __m256 even = _mm256_setzero_ps();
      __m256 odd = _mm256_setzero_ps();
      for (int k = 0; k < shape.depth; ++k) {
        even = _mm256_fmadd_ps(_mm256_set1_ps(a_row.even[k]), _mm256_load_ps(b_rows[k].even + part), even);
        odd = _mm256_fmadd_ps(_mm256_set1_ps(a_row.odd[k]), _mm256_load_ps(b_rows[k].odd + part), odd);
      }
      float* const sum = reinterpret_cast<float*>(c[row] + 4 * part);
      _mm256_storeu_ps(sum, _mm256_add_ps(_mm256_loadu_ps(sum), _mm256_add_ps(even, odd)));
    }
  }
}

}  // namespace

void DotInt8(const DotShape& shape, bool is_a_signed, bool is_b_signed, const uint8_t a[][64], const uint8_t b[][64],
             uint8_t c[][64]) {
  for (int row = 0; row < shape.rows; ++row) {
    for (int column = 0; column < shape.columns; ++column) {
      uint32_t sum = 0;
      std::memcpy(&sum, c[row] + 4 * column, sizeof(sum));
      for (int k = 0; k < shape.depth; ++k) {
        for (int i = 0; i < 4; ++i) {
          const int product = Extended(a[row][4 * k + i], is_a_signed) * Extended(b[k][4 * column + i], is_b_signed);
          sum += static_cast<uint32_t>(product);
        }
      }
      std::memcpy(c[row] + 4 * column, &sum, sizeof(sum));
    }
  }
}

void DotHalf(const DotShape& shape, HalfType type, const uint8_t a[][64], const uint8_t b[][64], uint8_t c[][64]) {
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(kAmxMxcsr);
  AddProducts(shape, type, a, b, c);
  _mm_setcsr(saved);
}

}  // namespace burin::emulation

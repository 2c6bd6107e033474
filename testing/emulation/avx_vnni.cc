#include "testing/emulation/avx_vnni.h"

#include <cstring>
#include <limits>

namespace burin::emulation {
namespace {

int64_t DotBytes(const uint8_t* a, const uint8_t* b) {
  int64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += a[i] * static_cast<int8_t>(b[i]);
  return sum;
}

int64_t DotWords(const uint8_t* a, const uint8_t* b) {
  int16_t x[2];
  int16_t y[2];
  std::memcpy(x, a, sizeof(x));
  std::memcpy(y, b, sizeof(y));
  return int64_t{x[0]} * y[0] + int64_t{x[1]} * y[1];
}

int64_t Clamped(int64_t value) {
  constexpr int64_t kLowest = std::numeric_limits<int32_t>::min();
  constexpr int64_t kHighest = std::numeric_limits<int32_t>::max();
  if (value < kLowest) return kLowest;
  return value > kHighest ? kHighest : value;
}

}  // namespace

void VnniDot(VnniKind kind, bool saturates, int lanes, const uint8_t* a, const uint8_t* b, uint8_t* sum) {
  for (int lane = 0; lane < lanes; ++lane, a += 4, b += 4, sum += 4) {
    int32_t old = 0;
    std::memcpy(&old, sum, sizeof(old));
    int64_t value = old + (kind == VnniKind::kU8S8 ? DotBytes(a, b) : DotWords(a, b));
    if (saturates) value = Clamped(value);
    const auto stored = static_cast<uint32_t>(static_cast<uint64_t>(value));
    std::memcpy(sum, &stored, sizeof(stored));
  }
}

}  // namespace burin::emulation

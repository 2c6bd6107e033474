#include "base/byte_span.h"

#include <cstdlib>

namespace burin {

bool AddSpan(int64_t extent, int64_t stride, int64_t& bytes) {
  if (extent <= 1) return true;
  if (stride <= -kMaxSpanBytes || stride >= kMaxSpanBytes) return false;
  int64_t distance = 0;
  if (__builtin_mul_overflow(extent - 1, std::abs(stride), &distance) || distance >= kMaxSpanBytes) return false;
  bytes += distance;
  return bytes < kMaxSpanBytes;
}

}  // namespace burin

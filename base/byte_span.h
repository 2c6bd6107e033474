// How many bytes strided dimensions span, for sizes that may be hostile.
//
// Use it to check descriptions of strided memory before addresses are computed from them. Pure; thread-safe.
#ifndef BURIN_BASE_BYTE_SPAN_H_
#define BURIN_BASE_BYTE_SPAN_H_

#include <cstdint>

namespace burin {

// Spans, strides and what they are added to stay below this, so that sums of two of them fit int64_t.
inline constexpr int64_t kMaxSpanBytes = int64_t{1} << 62;

// Adds to `bytes`, which is in [0, kMaxSpanBytes), the distance in bytes between the first and the last of `extent`
// elements that lie `stride` bytes apart, in either direction; nothing for up to one. Returns false, `bytes` then being
// of no use, where a stride or the sum reaches kMaxSpanBytes.
bool AddSpan(int64_t extent, int64_t stride, int64_t& bytes);

}  // namespace burin

#endif  // BURIN_BASE_BYTE_SPAN_H_

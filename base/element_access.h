// Reads and writes single elements and ranges of any element type as double or int64_t.
//
// For code that must work for every type and is judged by being right: reference evaluation, constant folding, shape
// inputs, printing, tests. Not for kernels. The functions hold no state. Concurrent writers of elements that share a
// byte (IsPacked) race. Data need not be aligned. Calling them with kUndefined or kString, a negative index or a
// negative count is a bug of the caller and aborts; the type of a tensor is validated where it is made.
//
// Rules of conversion:
//   double -> float type    rounds once, to nearest, ties to even. The f8 and f4 types saturate (Overflow::kSaturate);
//                           f16, bf16 and f32 overflow to infinity. f8e8m0 rounds up, ONNX's default.
//   double -> integer       truncates towards zero; outside the range saturates; NaN gives 0.
//   double -> boolean       any value but 0 gives 1, NaN included.
//   int64  -> integer       wraps modulo 2^bits (u64: the same 64 bits).
//   int64  -> float type    rounds once, as from double.
//   int64  -> boolean       any value but 0 gives 1.
//   integer -> double       is exact but for i64 and u64 beyond 2^53, which round to nearest even.
//   integer -> int64        is exact; u64 gives the same 64 bits, so values from 2^63 on appear negative.
//   float type -> int64     as double -> i64.
//   boolean -> any          any byte but 0 reads as 1.
#ifndef BURIN_BASE_ELEMENT_ACCESS_H_
#define BURIN_BASE_ELEMENT_ACCESS_H_

#include <cstdint>

#include "base/element_type.h"

namespace burin {

// Returns element `index` of the array of `type` at `data`, as double or int64.
double LoadAsDouble(ElementType type, const void* data, int64_t index);
int64_t LoadAsInt64(ElementType type, const void* data, int64_t index);

// Stores `value` as element `index`; the neighbours of a packed element keep their values.
void StoreFromDouble(ElementType type, void* data, int64_t index, double value);
void StoreFromInt64(ElementType type, void* data, int64_t index, int64_t value);

// Loads elements [begin, begin + count) into `out[0..count)`. The type is examined once per call.
void LoadRangeAsDouble(ElementType type, const void* data, int64_t begin, int64_t count, double* out);
void LoadRangeAsInt64(ElementType type, const void* data, int64_t begin, int64_t count, int64_t* out);

// Stores `values[0..count)` into elements [begin, begin + count). The type is examined once per call.
void StoreRangeFromDouble(ElementType type, void* data, int64_t begin, int64_t count, const double* values);
void StoreRangeFromInt64(ElementType type, void* data, int64_t begin, int64_t count, const int64_t* values);

}  // namespace burin

#endif  // BURIN_BASE_ELEMENT_ACCESS_H_

// Emits FakeQuantize on vectors of floats: the rounding to one of a number of values that lie evenly between two.
//
// Use it on registers of the vocabulary's width: the second function where the limits are known when code is emitted,
// the first where they are data. Not for the values of integer tensors with a scale and a zero point, which
// jit/emitters/quantise/quantize.h has. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and
// threads.
#ifndef BURIN_JIT_EMITTERS_QUANTISE_FAKE_QUANTIZE_H_
#define BURIN_JIT_EMITTERS_QUANTISE_FAKE_QUANTIZE_H_

#include <cstdint>

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Holds the limits of the input and of the output as floats of any kind: values known when code is emitted, or groups.
template <class T>
struct FakeQuantizeLimits {
  T input_low;
  T input_high;
  T output_low;
  T output_high;
};

// Replaces x by
//
//   output_low                                                        where x <= min(input_low, input_high)
//   output_high                                                       where x > max(input_low, input_high)
//   round((x - input_low) / (input_high - input_low) * (levels - 1)) / (levels - 1) * (output_high - output_low)
//     + output_low                                                    elsewhere; halves round to the even integer
//
// where every operation is rounded, in this order. So an x within a few ulp of the middle between two levels may go to
// either. NaN stays NaN. The differences of the limits are finite; levels is 2 or more. Uses 2 vector registers and 1
// mask a vector, and 1 vector register more.
template <class V>
void EmitFakeQuantize(V& v, const VecGroup& x, const FakeQuantizeLimits<VecGroup>& limits, int32_t levels);

// Replaces x by the same function without divisions: its quotients are products by constants, each rounded once. An x
// of which (x - input_low) / (input_high - input_low) * (levels - 1) is within 2 ulp of the middle between two integers
// may go to either; results are within 3 ulp of the greater output limit. NaN stays NaN. Uses 2 registers at a time for
// constants; as many as the other function and 4 more where that is what is emitted: where input_low is not below
// input_high, or levels is above 2^21.
template <class V>
void EmitFakeQuantize(V& v, const VecGroup& x, const FakeQuantizeLimits<float>& limits, int32_t levels);

// Replaces x by the number of the level that the second EmitFakeQuantize() rounds to, a signed integer from 0 to
// levels - 1; 0 for NaN. input_low is below input_high, and levels 2 to 2^21. Uses 1 register at a time for constants.
template <class V>
void EmitFakeQuantizeLevel(V& v, const VecGroup& x, float input_low, float input_high, int32_t levels);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_QUANTISE_FAKE_QUANTIZE_H_

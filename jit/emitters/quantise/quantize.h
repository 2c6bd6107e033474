// Emits the conversion of vectors of floats to integers with a scale and a zero point, and back.
//
// Use it on registers of the vocabulary's width, for tensors of integers of up to 16 bits, which loads widen to 32 and
// stores narrow. Not for FakeQuantize, which stays among floats (jit/emitters/quantise/fake_quantize.h). Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_QUANTISE_QUANTIZE_H_
#define BURIN_JIT_EMITTERS_QUANTISE_QUANTIZE_H_

#include <cstdint>

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Holds the least and the greatest value of a type of integers.
struct QuantizedRange {
  int32_t low;
  int32_t high;
};

// Replaces the floats x by the integers round(x / scale) + zero_point, halves to the even integer, as ONNX's
// QuantizeLinear has it; what is outside of the range becomes its end, and NaN its low end. The quotient is rounded as
// IEEE 754 has it. `scale` has floats and `zero_point` integers inside the range, which is inside +-2^23. Uses 1
// register at a time for constants.
template <class V>
void EmitQuantize(V& v, const VecGroup& x, const VecSource& scale, const VecSource& zero_point, QuantizedRange range);

// Replaces the integers x by the floats (x - zero_point) * scale, as ONNX's DequantizeLinear has it. The difference,
// modulo 2^32, is rounded to a float, and so is the product. Uses no register.
template <class V>
void EmitDequantize(V& v, const VecGroup& x, const VecSource& scale, const VecSource& zero_point);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_QUANTISE_QUANTIZE_H_

// Discrete Fourier transforms by their definition, as several operators share them.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_FOURIER_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_FOURIER_H_

#include <cstdint>

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

struct FourierTransform {
  // The axis that is transformed; not the last one, which holds the real and the imaginary part, or the real one alone.
  int64_t axis = 0;
  // An i64 scalar; the signal is cut, or continued with zeros. Where it is absent: the size of the axis, or of a real
  // inverse transform twice that less two.
  ir::Value length;
  // exp(+...) / length instead of exp(-...).
  bool inverse = false;
  // Only the first length / 2 + 1 frequencies: of a real signal the others are their conjugates. They are the outputs
  // or, of the inverse, the inputs, and then the outputs are real.
  bool onesided = false;
};

// Adds X[k] = sum over n of x[n] * exp(-2 pi i k n / length), as products with matrices that are computed at run time.
ir::Value Transform(NodeContext& node, ir::Value x, const FourierTransform& transform);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_FOURIER_H_

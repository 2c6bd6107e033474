// Discrete Fourier transforms by their definition, as several operators share them.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_FOURIER_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_FOURIER_H_

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

struct FourierTransform {
  // An integer scalar: the axis that is transformed; not the last one, which holds the real and the imaginary part, or
  // the real one alone.
  ir::Value axis;
  // An i64 scalar; the signal is cut, or continued with zeros. Where it is absent: the size of the axis, or of a real
  // inverse transform twice that less two.
  ir::Value length;
  // exp(+...) / length instead of exp(-...).
  bool inverse = false;
  // Only the first length / 2 + 1 frequencies: of a real signal the others are their conjugates. They are the outputs
  // or, of the inverse, the inputs, and then the outputs are real.
  bool onesided = false;
};

// Adds X[k] = sum over n of x[n] * exp(-2 pi i k n / length). Where axis and length are known and the length is small,
// these are products with matrices of waves, which run on the kernels of products; else the operation DFT, which takes
// O(n log n) and no matrix.
ir::Value Transform(NodeContext& node, ir::Value x, const FourierTransform& transform);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_FOURIER_H_

// Quantised arithmetic by its definition, as the operators that quantise share it.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_QUANTIZATION_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_QUANTIZATION_H_

#include <cstdint>

#include "base/element_type.h"
#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Returns saturate(round(x / scale) + zero_point) as `type`: an integer type, or a float of 8 bits, where nothing is
// rounded before the conversion. `x` and the scale have one floating-point type and broadcast; the zero point is absent
// or of `type`, and broadcasts.
ir::Value Quantize(NodeContext& node, ir::Value x, ir::Value scale, ir::Value zero_point, ElementType type);

// Returns round-and-saturate of an already scaled value: saturate(round(x) + zero_point).
ir::Value RoundTo(NodeContext& node, ir::Value x, ir::Value zero_point, ElementType type);

// Returns (x - zero_point) * scale, computed in f32 or wider; the zero point may be absent.
ir::Value Dequantize(NodeContext& node, ir::Value x, ir::Value scale, ir::Value zero_point);

// Returns x - zero_point as i32, exactly; the zero point may be absent.
ir::Value SubtractZeroPoint(NodeContext& node, ir::Value x, ir::Value zero_point);

// Shapes a zero point or scale of a left factor, one for each row, so that it broadcasts; scalars and what is absent
// stay.
ir::Value AlongRows(NodeContext& node, ir::Value vector);

// Multiplies (a - a_zero) by (b - b_zero) in i32, exactly; zero points may be absent. That of `a` may be one for each
// row, that of `b` one for each column.
ir::Value MultiplyCentred(NodeContext& node, ir::Value a, ir::Value a_zero, ir::Value b, ir::Value b_zero);

// A tensor of f32 as bytes, of which the scale and the zero point cover its range and 0.
struct DynamicallyQuantized {
  ir::Value value;
  ir::Value scale;
  ir::Value zero_point;
};
DynamicallyQuantized QuantizeDynamically(NodeContext& node, ir::Value x);

// Shapes a per-axis vector of x's axis so that it broadcasts over x; scalars stay.
ir::Value AlongAxis(NodeContext& node, ir::Value vector, int64_t axis, int64_t rank);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_QUANTIZATION_H_

#include "runtime/readers/onnx/ops/quantization.h"

#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/clamp.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/wide_type.h"

namespace burin::onnx {

ir::Value RoundTo(NodeContext& node, ir::Value x, ir::Value zero_point, ElementType type) {
  if (!IsInteger(type) || BitWidth(type) > 16) {
    node.Fail(absl::UnimplementedError("quantisation to this type"));
    return x;
  }
  ir::Value y = node.Add(ir::RoundOp(), {x});
  if (zero_point.exists()) y = node.Plus(y, node.Convert(zero_point, node.TypeOf(x)));
  const int bits = BitWidth(type);
  auto attributes = std::make_unique<ir::ClampAttributes>();
  attributes->min = IsSignedInteger(type) ? -static_cast<double>(int64_t{1} << (bits - 1)) : 0;
  attributes->max = static_cast<double>((int64_t{1} << (IsSignedInteger(type) ? bits - 1 : bits)) - 1);
  return node.Convert(node.Add(ir::ClampOp(), {y}, std::move(attributes)), type);
}

ir::Value Quantize(NodeContext& node, ir::Value x, ir::Value scale, ir::Value zero_point, ElementType type) {
  const ElementType wide = WideType(node.TypeOf(scale));
  const ir::Value scaled = node.Over(node.Convert(x, wide), node.Convert(scale, wide));
  if (IsFloat(type)) {
    const ir::Value shifted = zero_point.exists() ? node.Plus(scaled, node.Convert(zero_point, wide)) : scaled;
    return node.Convert(shifted, type);
  }
  return RoundTo(node, scaled, zero_point, type);
}

ir::Value Dequantize(NodeContext& node, ir::Value x, ir::Value scale, ir::Value zero_point) {
  const ElementType wide = WideType(node.TypeOf(scale));
  ir::Value centred = node.Convert(x, wide);
  if (zero_point.exists()) centred = node.Minus(centred, node.Convert(zero_point, wide));
  return node.Times(centred, node.Convert(scale, wide));
}

ir::Value SubtractZeroPoint(NodeContext& node, ir::Value x, ir::Value zero_point) {
  const ir::Value wide = node.Convert(x, ElementType::kI32);
  return zero_point.exists() ? node.Minus(wide, node.Convert(zero_point, ElementType::kI32)) : wide;
}

ir::Value AlongRows(NodeContext& node, ir::Value vector) {
  if (!vector.exists() || node.RankOf(vector) != 1) return vector;
  return node.Unsqueeze(vector, {1});
}

ir::Value MultiplyCentred(NodeContext& node, ir::Value a, ir::Value a_zero, ir::Value b, ir::Value b_zero) {
  return node.MatMul(SubtractZeroPoint(node, a, AlongRows(node, a_zero)), SubtractZeroPoint(node, b, b_zero));
}

// scale = (max(x, 0) - min(x, 0)) / 255, zero point = saturate(round(-min(x, 0) / scale))
DynamicallyQuantized QuantizeDynamically(NodeContext& node, ir::Value x) {
  const ir::Value flat = node.Reshape(x, {-1});
  const ir::Value zero = node.ScalarLike(x, 0);
  const auto extreme = [&](const ir::OpDef& reduce, const ir::OpDef& with_zero) {
    auto attributes = std::make_unique<ir::ReductionAttributes>();
    return node.Add(with_zero, {node.Add(reduce, {flat, node.Ints({0})}, std::move(attributes)), zero});
  };
  const ir::Value high = extreme(ir::ReduceMaxOp(), ir::MaximumOp());
  const ir::Value low = extreme(ir::ReduceMinOp(), ir::MinimumOp());
  const ir::Value scale = node.Over(node.Minus(high, low), node.ScalarLike(x, 255));
  // All zeros: any scale serves, and the quotients must not be 0 / 0.
  const ir::Value is_zero = node.Add(ir::EqualOp(), {scale, zero});
  const ir::Value divisor = node.Add(ir::SelectOp(), {is_zero, node.ScalarLike(x, 1), scale});
  const ir::Value zero_point =
      RoundTo(node, node.Over(node.Minus(zero, low), divisor), ir::Value::None(), ElementType::kU8);
  return {Quantize(node, x, divisor, zero_point, ElementType::kU8), scale, zero_point};
}

ir::Value AlongAxis(NodeContext& node, ir::Value vector, int64_t axis, int64_t rank) {
  if (!vector.exists() || node.RankOf(vector) == 0) return vector;
  const ir::PartialShape& shape = node.ShapeOf(vector);
  if (shape.has_rank() && shape.rank() == 1 && shape[0] == ir::Dimension(1)) return node.ToScalar(vector);
  std::vector<int64_t> sizes(static_cast<size_t>(rank), 1);
  const int64_t place = node.NormalizeAxis(axis, rank);
  if (!node.ok()) return vector;
  sizes[static_cast<size_t>(place)] = -1;
  return node.Reshape(vector, sizes);
}

}  // namespace burin::onnx

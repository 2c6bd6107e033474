// Quantised operators of ONNX Runtime: element by element by their definition, products in integers.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/quantization.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Returns the number that inputs `first` (quantised), `first` + 1 (scale) and `first` + 2 (zero point) stand for.
ir::Value Read(NodeContext& node, int64_t first) {
  return Dequantize(node, node.Input(first), node.Input(first + 1), node.OptionalInput(first + 2));
}

// Ends with y quantised by inputs `first` (scale) and `first` + 1 (zero point), as bytes of the type of input 0.
absl::Status Write(NodeContext& node, ir::Value y, int64_t first, ElementType type) {
  return node.Finish({Quantize(node, y, node.Input(first), node.OptionalInput(first + 1), type)});
}

// a_scale * b_scale, in f32.
ir::Value ScaleOfProduct(NodeContext& node, ir::Value a_scale, ir::Value b_scale) {
  return node.Times(node.Convert(AlongRows(node, a_scale), ElementType::kF32),
                    node.Convert(b_scale, ElementType::kF32));
}

ir::Value SwapIf(NodeContext& node, ir::Value x, const char* attribute) {
  return node.IntAttribute(attribute, 0) != 0 ? node.Transpose(x, {1, 0}) : x;
}

}  // namespace

absl::Status TranslateQLinearAdd(NodeContext& node) {
  return Write(node, node.Plus(Read(node, 0), Read(node, 3)), 6, node.TypeOf(node.Input(0)));
}

absl::Status TranslateQLinearMul(NodeContext& node) {
  return Write(node, node.Times(Read(node, 0), Read(node, 3)), 6, node.TypeOf(node.Input(0)));
}

absl::Status TranslateQLinearSigmoid(NodeContext& node) {
  return Write(node, node.Add(ir::SigmoidOp(), {Read(node, 0)}), 3, node.TypeOf(node.Input(0)));
}

absl::Status TranslateQLinearLeakyRelu(NodeContext& node) {
  const ir::Value x = Read(node, 0);
  const ir::Value slope = node.ScalarLike(x, node.FloatAttribute("alpha", static_cast<double>(0.01f)));
  return Write(node, node.Add(ir::PReluOp(), {x, node.Reshape(slope, {1})}), 3, node.TypeOf(node.Input(0)));
}

// Inputs: the condition, two tensors with their scales and zero points, then those of the result.
absl::Status TranslateQLinearWhere(NodeContext& node) {
  const ir::Value y = node.Add(ir::SelectOp(), {node.Input(0), Read(node, 1), Read(node, 4)});
  return Write(node, y, 7, node.TypeOf(node.Input(1)));
}

absl::Status TranslateQLinearGlobalAveragePool(NodeContext& node) {
  const int64_t rank = node.KnownRank(node.Input(0));
  const bool channels_last = node.IntAttribute("channels_last", 0) != 0;
  if (!node.ok()) return node.status();
  if (rank < 3) return node.Invalid("QLinearGlobalAveragePool is of tensors with three axes or more");
  std::vector<int64_t> axes;
  for (int64_t d = channels_last ? 1 : 2; d < (channels_last ? rank - 1 : rank); ++d) axes.push_back(d);
  return Write(node, node.Mean(Read(node, 0), axes), 3, node.TypeOf(node.Input(0)));
}

// Inputs: y_scale, y_zero, then a tensor, its scale and its zero point each.
absl::Status TranslateQLinearConcat(NodeContext& node) {
  if (node.input_count() < 5 || (node.input_count() - 2) % 3 != 0) {
    return node.Invalid("QLinearConcat has three inputs for each tensor");
  }
  std::vector<ir::Value> parts;
  for (int64_t i = 2; i < node.input_count(); i += 3) parts.push_back(Read(node, i));
  const ir::Value y = node.Concat(std::move(parts), node.IntAttribute("axis", 0));
  return Write(node, y, 0, node.TypeOf(node.Input(2)));
}

// alpha * a' * b' + c in integers, where c has the scale alpha * a_scale * b_scale; as f32 where y has no scale.
absl::Status TranslateQGemm(NodeContext& node) {
  const ir::Value a = SwapIf(node, node.Input(0), "transA");
  const ir::Value b = SwapIf(node, node.Input(3), "transB");
  ir::Value sum = MultiplyCentred(node, a, node.OptionalInput(2), b, node.OptionalInput(5));
  if (node.HasInput(6)) sum = node.Plus(sum, node.Input(6));
  const ir::Value alpha = node.Scalar(ElementType::kF32, node.FloatAttribute("alpha", 1));
  const ir::Value scale = node.Times(ScaleOfProduct(node, node.Input(1), node.Input(4)), alpha);
  const ir::Value y = node.Times(node.Convert(sum, ElementType::kF32), scale);
  if (!node.HasInput(7)) return node.Finish({y});
  return Write(node, y, 7, node.TypeOf(node.Input(0)));
}

// Inputs: a, b, a_scale, b_scale, a_zero, b_zero, and a bias in the type of the scales.
absl::Status TranslateMatMulIntegerToFloat(NodeContext& node) {
  const ir::Value sum =
      MultiplyCentred(node, node.Input(0), node.OptionalInput(4), node.Input(1), node.OptionalInput(5));
  const ir::Value scale = ScaleOfProduct(node, node.Input(2), node.Input(3));
  ir::Value y = node.Convert(node.Times(node.Convert(sum, ElementType::kF32), scale), node.TypeOf(node.Input(2)));
  if (node.HasInput(6)) y = node.Plus(y, node.Input(6));
  return node.Finish({y});
}

// As MatMulIntegerToFloat, of an `a` that is quantised by its own range at each run.
absl::Status TranslateDynamicQuantizeMatMul(NodeContext& node) {
  const DynamicallyQuantized a = QuantizeDynamically(node, node.Input(0));
  const ir::Value sum = MultiplyCentred(node, a.value, a.zero_point, node.Input(1), node.OptionalInput(3));
  const ir::Value scale = ScaleOfProduct(node, a.scale, node.Input(2));
  ir::Value y = node.Times(node.Convert(sum, ElementType::kF32), scale);
  if (node.HasInput(4)) y = node.Plus(y, node.Input(4));
  return node.Finish({y});
}

}  // namespace burin::onnx

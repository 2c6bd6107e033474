// Conversions between numbers and quantised numbers: per tensor, per axis and per block.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/quantization.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Data, scale and zero point in shapes that broadcast. Blocks become an axis of their own, which `restore` undoes.
struct Operands {
  ir::Value x;
  ir::Value scale;
  ir::Value zero_point;          // May be absent.
  std::vector<int64_t> restore;  // Empty where the shape is x's own.
};

// Splits the axis of blocks: x [.., D, ..] -> [.., D / B, B, ..], scales [.., D / B, ..] -> [.., D / B, 1, ..]. Where
// the last block is cut, scales are repeated instead.
void SplitBlocks(NodeContext& node, int64_t axis, int64_t block, Operands* operands) {
  const ir::PartialShape& shape = node.ShapeOf(operands->x);
  const ir::PartialShape scale_shape = node.ShapeOf(operands->scale);
  const int64_t rank = node.KnownRank(operands->x);
  const int64_t place = node.NormalizeAxis(axis, rank);
  if (!node.ok()) return;
  if (shape.is_dynamic() || scale_shape.is_dynamic() || scale_shape.rank() != rank) {
    node.Fail(absl::UnimplementedError("blocks of data whose shape is not known"));
    return;
  }
  std::vector<int64_t> sizes = shape.ToShape();
  const int64_t size = sizes[static_cast<size_t>(place)];
  const int64_t blocks = scale_shape.ToShape()[static_cast<size_t>(place)];
  if (blocks < 1 || block < 1 || (size + block - 1) / block != blocks) {
    node.Fail(absl::InvalidArgumentError("The scales do not match the blocks of the data"));
    return;
  }
  if (size % block != 0) {
    // The last block is shorter: each element gets the number of its block.
    const auto spread = [&](ir::Value numbers) {
      std::vector<int64_t> wide = scale_shape.ToShape();
      wide.insert(wide.begin() + place + 1, block);
      std::vector<int64_t> flat = scale_shape.ToShape();
      flat[static_cast<size_t>(place)] = blocks * block;
      const ir::Value repeated = node.Broadcast(node.Unsqueeze(numbers, {place + 1}), node.Ints(wide));
      return node.Slice(node.Reshape(repeated, flat), place, 0, size);
    };
    operands->scale = spread(operands->scale);
    if (operands->zero_point.exists()) operands->zero_point = spread(operands->zero_point);
    return;
  }
  operands->restore = sizes;
  sizes[static_cast<size_t>(place)] = blocks;
  sizes.insert(sizes.begin() + place + 1, block);
  operands->x = node.Reshape(operands->x, sizes);
  operands->scale = node.Unsqueeze(operands->scale, {place + 1});
  if (operands->zero_point.exists()) operands->zero_point = node.Unsqueeze(operands->zero_point, {place + 1});
}

Operands ReadOperands(NodeContext& node) {
  Operands operands;
  operands.x = node.Input(0);
  operands.scale = node.Input(1);
  operands.zero_point = node.OptionalInput(2);
  const int64_t block = node.IntAttribute("block_size", 0);
  const int64_t axis = node.IntAttribute("axis", 1);
  if (block != 0) {
    SplitBlocks(node, axis, block, &operands);
    return operands;
  }
  const ir::PartialShape& scale_shape = node.ShapeOf(operands.scale);
  if (scale_shape.has_rank() && scale_shape.rank() == 0) return operands;
  if (!scale_shape.has_rank()) {
    node.Fail(absl::UnimplementedError("a scale whose rank is not known"));
    return operands;
  }
  // A single scale in a vector of one stands for the whole tensor.
  const bool is_single = scale_shape.rank() == 1 && scale_shape[0] == ir::Dimension(1);
  const int64_t rank = is_single ? 1 : node.KnownRank(operands.x);
  const int64_t place = is_single ? 0 : axis;
  operands.scale = AlongAxis(node, operands.scale, place, rank);
  operands.zero_point = AlongAxis(node, operands.zero_point, place, rank);
  return operands;
}

ir::Value Restore(NodeContext& node, const Operands& operands, ir::Value y) {
  return operands.restore.empty() || !node.ok() ? y : node.Reshape(y, operands.restore);
}

// Reads the attribute output_dtype, which 0 leaves to `fallback`.
ElementType OutputType(NodeContext& node, ElementType fallback) {
  if (node.IntAttribute("output_dtype", 0) == 0) return fallback;
  return node.ElementTypeAttribute("output_dtype", fallback);
}

}  // namespace

absl::Status TranslateDequantizeLinear(NodeContext& node) {
  const Operands operands = ReadOperands(node);
  if (!node.ok()) return node.status();
  const ElementType type = OutputType(node, node.TypeOf(operands.scale));
  const ir::Value y = Dequantize(node, operands.x, operands.scale, operands.zero_point);
  return node.Finish({node.Convert(Restore(node, operands, y), type)});
}

absl::Status TranslateDynamicQuantizeLinear(NodeContext& node) {
  const DynamicallyQuantized x = QuantizeDynamically(node, node.Input(0));
  return node.Finish({x.value, x.scale, x.zero_point});
}

absl::Status TranslateQuantizeLinear(NodeContext& node) {
  const Operands operands = ReadOperands(node);
  if (!node.ok()) return node.status();
  const ElementType type =
      operands.zero_point.exists() ? node.TypeOf(operands.zero_point) : OutputType(node, ElementType::kU8);
  const ir::Value y = Quantize(node, operands.x, operands.scale, operands.zero_point, type);
  return node.Finish({Restore(node, operands, y)});
}

}  // namespace burin::onnx

// Weights of few bits with a scale for each block, as ONNX Runtime's extensions have them.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/gather.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Returns the numbers of `bits` bits that the bytes of the last axis hold, the lowest bits first, as bytes.
ir::Value Unpack(NodeContext& node, ir::Value bytes, int64_t bits) {
  if (bits == 8) return bytes;
  const int64_t rank = node.KnownRank(bytes);
  if (!node.ok()) return bytes;
  const ir::Value mask = node.Scalar(ElementType::kU8, static_cast<double>((1 << bits) - 1));
  std::vector<ir::Value> parts;
  for (int64_t shift = 0; shift < 8; shift += bits) {
    const ir::Value shifted =
        node.Add(ir::BitwiseRightShiftOp(), {bytes, node.Scalar(ElementType::kU8, static_cast<double>(shift))});
    parts.push_back(node.Unsqueeze(node.Add(ir::BitwiseAndOp(), {shifted, mask}), {rank}));
  }
  const ir::Value sizes = node.Concat(
      {node.SizesOf(bytes, 0, rank - 1), node.Times(node.SizesOf(bytes, rank - 1, rank), node.Ints({8 / bits}))}, 0);
  return node.Reshape(node.Concat(std::move(parts), rank), sizes);
}

bool AreBits(int64_t bits) { return bits == 2 || bits == 4 || bits == 8; }

// Returns the zero points [rows, blocks] of `bits` bits, of the type of the scales: those given, packed in bytes or as
// they are, or the middle of the range.
ir::Value ZeroPoints(NodeContext& node, int64_t input, ir::Value scales, int64_t bits) {
  if (!node.HasInput(input)) return node.ScalarLike(scales, static_cast<double>(1 << (bits - 1)));
  ir::Value points = node.Input(input);
  const ir::Value rows = node.SizesOf(scales, 0, 1);
  if (node.TypeOf(points) != ElementType::kU8) return node.Reshape(points, node.SizesOf(scales));
  points = Unpack(node, node.Reshape(points, node.Concat({rows, node.Ints({-1})}, 0)), bits);
  // The last byte of a row may hold more than there is.
  const ir::Value used = node.Slice(points, 1, node.Ints({0}), node.SizesOf(scales, 1, 2));
  return node.Convert(used, node.TypeOf(scales));
}

}  // namespace

// y = a * w' + bias with w [N, K] = (b - zero point) * scale, of which each block of K has its own.
absl::Status TranslateMatMulNBits(NodeContext& node) {
  const int64_t depth = node.IntAttribute("K", 0);
  const int64_t columns = node.IntAttribute("N", 0);
  const int64_t bits = node.IntAttribute("bits", 4);
  const int64_t block = node.IntAttribute("block_size", 0);
  if (!node.ok()) return node.status();
  if (!AreBits(bits)) return node.Unsupported("weights of a number of bits other than 2, 4 and 8");
  if (depth < 1 || columns < 1 || block < 1) return node.Invalid("MatMulNBits needs positive K, N and block_size");
  if (node.HasInput(4)) return node.Unsupported("an order of groups");
  if (node.IntAttribute("weight_prepacked", 0) != 0) return node.Unsupported("weights in another machine's layout");

  const ir::Value a = node.Input(0);
  const ir::Value scales = node.Reshape(node.Input(2), {columns, -1});
  const ElementType type = node.TypeOf(scales);
  const ir::Value numbers = Unpack(node, node.Reshape(node.Input(1), {columns, -1}), bits);
  const ir::Value blocks = node.Convert(node.Reshape(numbers, {columns, -1, block}), type);
  ir::Value points = ZeroPoints(node, 3, scales, bits);
  if (node.HasInput(3)) points = node.Unsqueeze(points, {2});
  const ir::Value weights = node.Times(node.Minus(blocks, points), node.Unsqueeze(scales, {2}));
  // The last block may be longer than what is left of K.
  const ir::Value matrix = node.Slice(node.Reshape(weights, {columns, -1}), 1, 0, depth);
  ir::Value y = node.MatMul(a, node.Convert(matrix, node.TypeOf(a)), /*transpose_a=*/false, /*transpose_b=*/true);
  if (node.HasInput(5)) y = node.Plus(y, node.Input(5));
  return node.Finish({y});
}

// Gathers rows of a table and scales them: a number for each block along quantize_axis. Rows are gathered as they are
// stored, so that only those are scaled which are asked for.
absl::Status TranslateGatherBlockQuantized(NodeContext& node) {
  const ir::Value data = node.Input(0);
  const ir::Value indices = node.Input(1);
  const int64_t rank = node.KnownRank(data);
  const int64_t gather_axis = node.NormalizeAxis(node.IntAttribute("gather_axis", 0), rank);
  const int64_t quantize_axis = node.NormalizeAxis(node.IntAttribute("quantize_axis", 1), rank);
  const int64_t block = node.IntAttribute("block_size", 128);
  const ElementType stored = node.TypeOf(data);
  const int64_t bits = stored == ElementType::kU8 ? node.IntAttribute("bits", 4) : 8;
  if (!node.ok()) return node.status();
  if (!AreBits(bits)) return node.Unsupported("a number of bits other than 2, 4 and 8");
  if (block < 1) return node.Unsupported("a block of the whole axis");
  if (gather_axis == quantize_axis) return node.Unsupported("blocks along the axis that is gathered");

  const ir::Value rows = node.Reshape(indices, {-1});
  const auto gather = [&](ir::Value x) {
    return node.Add(ir::GatherOp(), {x, rows, node.Int(gather_axis)}, std::make_unique<ir::GatherAttributes>());
  };
  const bool is_packed = stored == ElementType::kU8;
  // Along the last axis a byte holds several numbers, and the last byte perhaps more than there are.
  const auto gather_packed = [&](ir::Value x, ir::Value count) {
    if (!is_packed) return gather(x);
    const bool gathers_bytes = gather_axis != rank - 1;
    ir::Value numbers = Unpack(node, gathers_bytes ? gather(x) : x, bits);
    if (count.exists()) numbers = node.Slice(numbers, rank - 1, node.Ints({0}), count);
    return gathers_bytes ? numbers : gather(numbers);
  };
  const ir::Value scales = gather(node.Input(2));
  const ElementType type = node.TypeOf(scales);
  // A number for each element of the axis, instead of one for each block.
  const auto spread = [&](ir::Value x) {
    const ir::Value size = node.SizesOf(x, quantize_axis, quantize_axis + 1);
    const ir::Value before = node.SizesOf(x, 0, quantize_axis);
    const ir::Value after = node.SizesOf(x, quantize_axis + 1, rank);
    const ir::Value wide = node.Broadcast(node.Unsqueeze(x, {quantize_axis + 1}),
                                          node.Concat({before, size, node.Ints({block}), after}, 0));
    return node.Reshape(wide, node.Concat({before, node.Times(size, node.Ints({block})), after}, 0));
  };
  ir::Value numbers = node.Convert(gather_packed(data, ir::Value::None()), type);
  const ir::Value count = node.SizesOf(numbers, quantize_axis, quantize_axis + 1);
  // The last block may be longer than what is left of the axis.
  const auto fit = [&](ir::Value x) { return node.Slice(spread(x), quantize_axis, node.Ints({0}), count); };
  if (node.HasInput(3)) {
    const ir::Value points = gather_packed(node.Input(3), node.SizesOf(node.Input(2), rank - 1, rank));
    numbers = node.Minus(numbers, fit(node.Convert(points, type)));
  } else if (is_packed) {
    numbers = node.Minus(numbers, node.ScalarLike(numbers, static_cast<double>(1 << (bits - 1))));
  }
  const ir::Value scaled = node.Times(numbers, fit(scales));
  const ir::Value sizes = node.Concat(
      {node.SizesOf(scaled, 0, gather_axis), node.SizesOf(indices), node.SizesOf(scaled, gather_axis + 1, rank)}, 0);
  return node.Finish({node.Reshape(scaled, sizes)});
}

}  // namespace burin::onnx

#include "runtime/readers/onnx/ops/rotary.h"

#include <limits>
#include <memory>

#include "ir/ops/gather.h"
#include "ir/ops/ops.h"

namespace burin::onnx {

ir::Value RotatePairs(NodeContext& node, ir::Value x, ir::Value cosine, ir::Value sine, int64_t rotated,
                      bool interleaved) {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  const ir::Value turning = rotated == 0 ? x : node.Slice(x, 3, 0, rotated);
  // As [..., pairs, 2] or [..., 2, pairs].
  const int64_t pair_axis = interleaved ? 4 : 3;
  const ir::Value sizes =
      node.Concat({node.SizesOf(x, 0, 3), interleaved ? node.Ints({-1, 2}) : node.Ints({2, -1})}, 0);
  const ir::Value pairs = node.Reshape(turning, sizes);
  const ir::Value first = node.Squeeze(node.Slice(pairs, pair_axis, 0, 1), {pair_axis});
  const ir::Value second = node.Squeeze(node.Slice(pairs, pair_axis, 1, 2), {pair_axis});
  const ir::Value real = node.Minus(node.Times(cosine, first), node.Times(sine, second));
  const ir::Value imaginary = node.Plus(node.Times(sine, first), node.Times(cosine, second));
  const ir::Value turned =
      node.Reshape(node.Concat({node.Unsqueeze(real, {pair_axis}), node.Unsqueeze(imaginary, {pair_axis})}, pair_axis),
                   node.SizesOf(turning));
  return rotated == 0 ? turned : node.Concat({turned, node.Slice(x, 3, rotated, kEnd)}, 3);
}

ir::Value AnglesAt(NodeContext& node, ir::Value cache, ir::Value positions, int64_t heads_axis) {
  const ir::Value rows =
      node.Add(ir::GatherOp(), {cache, positions, node.Int(0)}, std::make_unique<ir::GatherAttributes>());
  return node.Unsqueeze(rows, {heads_axis});
}

}  // namespace burin::onnx

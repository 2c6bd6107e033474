// CenterCropPad: cuts away or adds at both ends alike.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/ops.h"
#include "ir/ops/pad.h"
#include "runtime/readers/onnx/ops/layer_norm.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

// Where the difference is odd, the first element of the middle two stays when cropping, and the last end gets one more
// when padding.
absl::Status TranslateCenterCropPad(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  std::vector<int64_t> axes = node.IntsAttribute("axes", AxesFrom(0, rank));
  for (int64_t& axis : axes) axis = node.NormalizeAxis(axis, rank);
  if (!node.ok()) return node.status();
  const ir::Value wanted = node.Convert(node.Input(1), ElementType::kI64);
  const ir::Value zero = node.Ints({0});
  const ir::Value two = node.Ints({2});

  std::vector<ir::Value> sizes;
  for (const int64_t axis : axes) sizes.push_back(node.SizesOf(x, axis, axis + 1));
  const ir::Value given = node.Concat(std::move(sizes), 0);
  const ir::Value begin = node.Over(node.Add(ir::MaximumOp(), {node.Minus(given, wanted), zero}), two);
  const ir::Value end = node.Plus(begin, node.Add(ir::MinimumOp(), {given, wanted}));
  const ir::Value steps = node.Broadcast(node.Int(1), node.Ints({static_cast<int64_t>(axes.size())}));
  const ir::Value cropped = node.Add(ir::SliceOp(), {x, begin, end, steps, node.Ints(axes)});

  const ir::Value added = node.Add(ir::MaximumOp(), {node.Minus(wanted, given), zero});
  const ir::Value before = node.Over(added, two);
  const ir::Value after = node.Minus(added, before);
  // The numbers for all axes, in order.
  const auto spread = [&](ir::Value numbers) {
    std::vector<ir::Value> parts;
    for (int64_t d = 0; d < rank; ++d) {
      const auto found = std::find(axes.begin(), axes.end(), d);
      const int64_t i = found - axes.begin();
      parts.push_back(found == axes.end() ? zero : node.Slice(numbers, 0, i, i + 1));
    }
    return node.Concat(std::move(parts), 0);
  };
  return node.Finish({node.Add(ir::PadOp(), {cropped, spread(before), spread(after), node.ScalarLike(x, 0)},
                               std::make_unique<ir::PadAttributes>())});
}

}  // namespace burin::onnx

// TensorScatter: writes new elements into a cache, from a place of its own for each element of the batch.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/ops.h"
#include "ir/ops/scatter_elements_update.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

// cache[b, ..., place(b) + i, ...] = update[b, ..., i, ...]; `circular`: modulo the size of the axis.
absl::Status TranslateTensorScatter(NodeContext& node) {
  const ir::Value cache = node.Input(0);
  const ir::Value update = node.Input(1);
  const int64_t rank = node.KnownRank(cache);
  const int64_t axis = node.NormalizeAxis(node.IntAttribute("axis", -2), rank);
  const std::string mode = node.StringAttribute("mode", "linear");
  if (!node.ok()) return node.status();
  if (axis == 0) return node.Invalid("The axis of a TensorScatter is not that of the batch");
  if (mode != "linear" && mode != "circular") return node.Invalid("The mode of a TensorScatter is linear or circular");

  std::vector<int64_t> along_axis(static_cast<size_t>(rank), 1);
  along_axis[static_cast<size_t>(axis)] = -1;
  ir::Value places = node.Reshape(node.Range(node.Int(0), node.SizeOf(update, axis)), along_axis);
  if (node.HasInput(2)) {
    std::vector<int64_t> along_batch(static_cast<size_t>(rank), 1);
    along_batch[0] = -1;
    places = node.Plus(places, node.Reshape(node.Input(2), along_batch));
  }
  if (mode == "circular") places = node.Add(ir::FloorModOp(), {places, node.SizeOf(cache, axis)});
  auto attributes = std::make_unique<ir::ScatterElementsUpdateAttributes>();
  return node.Finish(
      {node.Add(ir::ScatterElementsUpdateOp(),
                {cache, node.Broadcast(places, node.SizesOf(update)), update, node.Int(axis)}, std::move(attributes))});
}

}  // namespace burin::onnx

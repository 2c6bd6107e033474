// CumProd: products of all elements up to each along an axis.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ir/infer_context.h"
#include "runtime/readers/onnx/ops/scan_loop.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

// state = 1; for each element: state *= element. Outputs are the state after an element, or `exclusive`: before it.
absl::Status TranslateCumProd(NodeContext& node) {
  const std::optional<std::vector<int64_t>> axis = node.IntsOf(node.Input(1));
  if (!node.ok()) return node.status();
  if (!axis.has_value()) return node.Unsupported("an axis that is computed");
  if (axis->size() != 1) return node.Invalid("The axis of a CumProd is one number");
  const ScanInput input{node.Input(0), axis->front(), node.IntAttribute("reverse", 0) != 0};
  const ir::ValueInfo element = InfoOfElement(node, input);
  if (!node.ok()) return node.status();

  ScanBody body(node);
  const ir::Value before = body.Parameter(element);
  const ir::Value after = body.graph().Times(before, body.Parameter(element));
  body.Result(after);
  body.Result(node.IntAttribute("exclusive", 0) != 0 ? before : after);

  // The sizes of an element: all but that of the axis.
  const int64_t rank = node.KnownRank(input.value);
  const int64_t skipped = node.NormalizeAxis(input.axis, rank);
  const ir::Value sizes =
      node.Concat({node.SizesOf(input.value, 0, skipped), node.SizesOf(input.value, skipped + 1, rank)}, 0);
  ScanPorts ports;
  ports.states = {node.Broadcast(node.ScalarLike(input.value, 1), sizes)};
  ports.inputs = {input};
  ports.outputs = {{skipped, input.reversed}};
  const std::vector<ir::Value> results = AddScan(node, body.Take(), ports);
  if (!node.ok()) return node.status();
  return node.Finish({results[1]});
}

}  // namespace burin::onnx

#include "runtime/readers/onnx/ops/channels_last.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace burin::onnx {
namespace {

// Moves axis `from` to `to`.
ir::Value MoveAxis(NodeContext& node, ir::Value x, int64_t from, int64_t to) {
  std::vector<int64_t> order(static_cast<size_t>(node.KnownRank(x)));
  std::iota(order.begin(), order.end(), 0);
  const auto begin = order.begin();
  if (from < to) {
    std::rotate(begin + from, begin + from + 1, begin + to + 1);
  } else {
    std::rotate(begin + to, begin + from, begin + from + 1);
  }
  return node.Transpose(x, std::move(order));
}

// Returns whether x is to be changed.
bool HasChannelsLast(NodeContext& node, ir::Value x) {
  if (node.IntAttribute("channels_last", 0) == 0) return false;
  const int64_t rank = node.KnownRank(x);
  if (node.ok() && rank < 3)
    node.Fail(absl::InvalidArgumentError("channels_last is of tensors with three axes or more"));
  return node.ok();
}

}  // namespace

ir::Value ToChannelsFirst(NodeContext& node, ir::Value x) {
  return HasChannelsLast(node, x) ? MoveAxis(node, x, node.KnownRank(x) - 1, 1) : x;
}

ir::Value FromChannelsFirst(NodeContext& node, ir::Value x) {
  return HasChannelsLast(node, x) ? MoveAxis(node, x, 1, node.KnownRank(x) - 1) : x;
}

}  // namespace burin::onnx

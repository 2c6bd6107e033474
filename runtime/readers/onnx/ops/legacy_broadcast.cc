#include "runtime/readers/onnx/ops/legacy_broadcast.h"

#include <cstdint>
#include <vector>

namespace burin::onnx {

ir::Value AlignSecondOperand(NodeContext& node) {
  const ir::Value b = node.Input(1);
  if (node.since() >= 7 || node.IntAttribute("broadcast", 0) == 0 || !node.HasAttribute("axis")) return b;
  const int64_t rank_a = node.KnownRank(node.Input(0));
  const int64_t rank_b = node.KnownRank(b);
  const int64_t axis = node.NormalizeAxis(node.IntAttribute("axis", 0), rank_a);
  if (!node.ok()) return b;
  if (axis + rank_b > rank_a) {
    node.Fail(absl::InvalidArgumentError("The second operand reaches past the last axis of the first"));
    return b;
  }
  std::vector<int64_t> trailing;
  for (int64_t d = rank_b; d < rank_a - axis; ++d) trailing.push_back(d);
  return trailing.empty() ? b : node.Unsqueeze(b, trailing);
}

}  // namespace burin::onnx

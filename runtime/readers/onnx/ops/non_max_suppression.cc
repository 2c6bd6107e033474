// NonMaxSuppression: the best boxes that do not overlap much.
#include <limits>
#include <memory>
#include <utility>

#include "base/element_type.h"
#include "ir/ops/non_max_suppression.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

// Where score_threshold is absent every score counts.
absl::Status TranslateNonMaxSuppression(NodeContext& node) {
  auto attributes = std::make_unique<ir::NonMaxSuppressionAttributes>();
  const int64_t center = node.IntAttribute("center_point_box", 0);
  if (center != 0 && center != 1) return node.Invalid("center_point_box must be 0 or 1");
  attributes->box_encoding = center == 1 ? ir::BoxEncoding::kCenter : ir::BoxEncoding::kCorner;
  attributes->sort_result_descending = false;
  const ir::Value score_threshold =
      node.HasInput(4) ? node.Input(4) : node.Scalar(ElementType::kF32, -std::numeric_limits<double>::infinity());
  return node.Finish(
      {node.Add(ir::NonMaxSuppressionOp(),
                {node.Input(0), node.Input(1), node.OptionalInput(2), node.OptionalInput(3), score_threshold},
                std::move(attributes))});
}

}  // namespace burin::onnx

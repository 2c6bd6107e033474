// Gathering, scattering and other uses of index tensors.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ir/ops/family/scatter.h"
#include "ir/ops/gather_elements.h"
#include "ir/ops/gather_nd.h"
#include "ir/ops/one_hot.h"
#include "ir/ops/ops.h"
#include "ir/ops/scatter_elements_update.h"
#include "ir/ops/scatter_nd_update.h"
#include "ir/ops/unique.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

ir::ScatterReduction ReadReduction(NodeContext& node) {
  const std::string name = node.StringAttribute("reduction", "none");
  if (name == "add") return ir::ScatterReduction::kSum;
  if (name == "mul") return ir::ScatterReduction::kProd;
  if (name == "min") return ir::ScatterReduction::kMin;
  if (name == "max") return ir::ScatterReduction::kMax;
  if (name != "none") node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown reduction: ", name)));
  return ir::ScatterReduction::kNone;
}

}  // namespace

absl::Status TranslateGather(NodeContext& node) {
  return node.Finish(
      {node.Add(ir::GatherOp(), {node.Input(0), node.Input(1), node.Int(node.IntAttribute("axis", 0))})});
}

absl::Status TranslateGatherElements(NodeContext& node) {
  auto attributes = std::make_unique<ir::GatherElementsAttributes>();
  attributes->axis = node.IntAttribute("axis", 0);
  return node.Finish({node.Add(ir::GatherElementsOp(), {node.Input(0), node.Input(1)}, std::move(attributes))});
}

absl::Status TranslateGatherND(NodeContext& node) {
  auto attributes = std::make_unique<ir::GatherNDAttributes>();
  attributes->batch_dims = node.IntAttribute("batch_dims", 0);
  return node.Finish({node.Add(ir::GatherNDOp(), {node.Input(0), node.Input(1)}, std::move(attributes))});
}

absl::Status TranslateNonZero(NodeContext& node) { return node.Finish({node.Add(ir::NonZeroOp(), {node.Input(0)})}); }

// values is [off, on]. An index outside [-depth, depth) selects nothing.
absl::Status TranslateOneHot(NodeContext& node) {
  auto attributes = std::make_unique<ir::OneHotAttributes>();
  attributes->axis = node.IntAttribute("axis", -1);
  attributes->negative_indices_mode = ir::NegativeIndicesMode::kNormalize;
  const ir::Value indices = node.Convert(node.Input(0), ElementType::kI64);
  const ir::Value depth = node.ToScalar(node.Convert(node.Input(1), ElementType::kI64));
  const ir::Value values = node.Input(2);
  const ir::Value off = node.Add(ir::GatherOp(), {values, node.Int(0), node.Int(0)});
  const ir::Value on = node.Add(ir::GatherOp(), {values, node.Int(1), node.Int(0)});
  return node.Finish({node.Add(ir::OneHotOp(), {indices, depth, on, off}, std::move(attributes))});
}

absl::Status TranslateScatterElements(NodeContext& node) {
  auto attributes = std::make_unique<ir::ScatterElementsUpdateAttributes>();
  attributes->reduction = ReadReduction(node);
  const ir::Value axis = node.Int(node.IntAttribute("axis", 0));
  return node.Finish({node.Add(ir::ScatterElementsUpdateOp(), {node.Input(0), node.Input(1), node.Input(2), axis},
                               std::move(attributes))});
}

absl::Status TranslateScatterND(NodeContext& node) {
  auto attributes = std::make_unique<ir::ScatterNDUpdateAttributes>();
  attributes->reduction = ReadReduction(node);
  return node.Finish(
      {node.Add(ir::ScatterNDUpdateOp(), {node.Input(0), node.Input(1), node.Input(2)}, std::move(attributes))});
}

absl::Status TranslateUnique(NodeContext& node) {
  auto attributes = std::make_unique<ir::UniqueAttributes>();
  attributes->sorted = node.IntAttribute("sorted", 1) != 0;
  attributes->index_element_type = ElementType::kI64;
  attributes->count_element_type = ElementType::kI64;
  std::vector<ir::Value> inputs = {node.Input(0)};
  if (node.HasAttribute("axis")) inputs.push_back(node.Int(node.IntAttribute("axis", 0)));
  return node.Finish(node.AddAll(ir::UniqueOp(), std::move(inputs), std::move(attributes)));
}

}  // namespace burin::onnx

#include "tools/bisect/difference.h"

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "ir/structural.h"
#include "ir/tensor.h"
#include "ir/text.h"

namespace burin::bisect {
namespace {

// Constants that share their bytes are equal without a look at them.
bool SameContent(const ir::Node& a, const ir::Node& b) {
  if (a.runtime_info() != b.runtime_info() || a.code() != b.code()) return false;
  if (a.code() == ir::OpCode::kConstant) {
    const ir::Tensor& x = a.attributes_as<ir::ConstantAttributes>().value;
    const ir::Tensor& y = b.attributes_as<ir::ConstantAttributes>().value;
    if (x.has_value() && y.has_value() && x.data() == y.data() && x.shape() == y.shape()) return true;
  }
  return ir::AttributesEqual(a.attributes(), b.attributes());
}

}  // namespace

Difference DifferenceOf(const ir::Model& before, const ir::Model& after) {
  Difference difference;
  for (const ir::NodeId id : after.NodeIds()) {
    if (!before.Contains(id)) difference.came.insert(id);
  }
  for (const ir::NodeId id : before.NodeIds()) {
    if (!after.Contains(id)) {
      difference.gone.insert(id);
    } else if (!SameContent(before.node(id), after.node(id))) {
      difference.changed.insert(id);
    } else if (before.node(id).inputs() != after.node(id).inputs()) {
      difference.rewired.insert(id);
    }
  }
  return difference;
}

NodeSet WithRing(const ir::Model& model, const NodeSet& nodes) {
  NodeSet all = nodes;
  for (const ir::NodeId id : nodes) {
    const ir::Node& node = model.node(id);
    for (const ir::Value& input : node.inputs()) {
      if (input.exists()) all.insert(input.node);
    }
    for (int32_t i = 0; i < node.output_count(); ++i) {
      for (const ir::Use& use : model.UsesOf({id, i})) all.insert(use.node);
    }
  }
  return all;
}

std::string DescribeRegion(const ir::Model& model, const NodeSet& core) {
  NodeSet present;
  for (const ir::NodeId id : core) {
    if (model.Contains(id)) present.insert(id);
  }
  const NodeSet all = WithRing(model, present);
  const absl::StatusOr<std::vector<ir::NodeId>> order = model.TopologicalOrder();
  if (!order.ok()) return absl::StrCat("  ", order.status().message(), "\n");
  std::string text;
  for (const ir::NodeId id : *order) {
    if (all.count(id) == 0) continue;
    absl::StrAppend(&text, present.count(id) > 0 ? "* " : "  ", ir::PrintNode(model, id), "\n");
  }
  return text;
}

}  // namespace burin::bisect

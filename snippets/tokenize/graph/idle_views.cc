#include "snippets/tokenize/graph/idle_views.h"

#include <algorithm>
#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "ir/op_def.h"

namespace burin::snippets {
namespace {

bool IsIdleView(const ir::Model& model, const ir::Node& node, const absl::flat_hash_set<ir::NodeId>& inside) {
  if (!node.op().Has(ir::kMovesData)) return false;
  bool reads_inside = false;
  for (const ir::Value& input : node.inputs()) {
    reads_inside = reads_inside || (input.exists() && inside.contains(input.node));
  }
  bool is_read_inside = false;
  bool is_read_outside = false;
  for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
    for (const ir::Use& use : model.UsesOf({node.id(), i})) {
      (inside.contains(use.node) ? is_read_inside : is_read_outside) = true;
    }
  }
  return !is_read_inside || (!reads_inside && is_read_outside);
}

}  // namespace

std::vector<ir::NodeId> WithoutIdleViews(const ir::Model& model, std::vector<ir::NodeId> nodes) {
  absl::flat_hash_set<ir::NodeId> inside(nodes.begin(), nodes.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (const ir::NodeId id : nodes) {
      if (!inside.contains(id) || !IsIdleView(model, model.node(id), inside)) continue;
      inside.erase(id);
      changed = true;
    }
  }
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [&](ir::NodeId id) { return !inside.contains(id); }),
              nodes.end());
  const bool computes =
      std::any_of(nodes.begin(), nodes.end(), [&](ir::NodeId id) { return !model.node(id).op().Has(ir::kMovesData); });
  if (!computes) nodes.clear();
  return nodes;
}

}  // namespace burin::snippets

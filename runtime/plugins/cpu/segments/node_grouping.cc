#include "runtime/plugins/cpu/segments/node_grouping.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ir/infer_context.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/segments/cut_rule.h"

namespace burin::cpu {

namespace {

// When the outputs of a node are there.
enum class Turn : uint8_t { kBefore, kInGraph, kInCut, kLater };

class Grouping {
 public:
  Grouping(const ir::Model& model, const KnownValues& known)
      : model_(model), known_(known), turn_(static_cast<size_t>(model.id_bound()), Turn::kBefore) {}

  NodeGrouping Run(absl::Span<const ir::NodeId> order, const std::vector<bool>& done) {
    for (const ir::NodeId id : order) {
      const ir::Node& node = model_.node(id);
      if (!Computes(node) || done[static_cast<size_t>(Index(id))] || known_.AreConstant(id)) continue;
      Place(node);
    }
    if (!early_cuts_.empty()) RunEarlyCutsAlone();
    return std::move(result_);
  }

 private:
  Turn TurnOf(ir::Value value) const {
    return known_.IsConstant(value) ? Turn::kBefore : turn_[static_cast<size_t>(Index(value.node))];
  }

  Turn LastOf(const ir::Node& node) const {
    Turn last = Turn::kBefore;
    for (const ir::Value& input : node.inputs()) {
      if (input.exists()) last = std::max(last, TurnOf(input));
    }
    return last;
  }

  bool IsDynamic(const ir::Node& node) const {
    const absl::Span<const ir::ValueInfo> outputs = known_.outputs(node.id());
    return std::any_of(outputs.begin(), outputs.end(),
                       [](const ir::ValueInfo& info) { return info.shape.is_dynamic(); });
  }

  void Place(const ir::Node& node) {
    Turn& turn = turn_[static_cast<size_t>(Index(node.id()))];
    const Turn inputs = LastOf(node);
    if (inputs > Turn::kInGraph) {
      turn = Turn::kLater;
      result_.waiting.push_back(node.id());
      return;
    }
    const bool always = AlwaysCuts(node);
    if (!always && !IsDynamic(node)) {
      turn = Turn::kInGraph;
      result_.planned.push_back(node.id());
      return;
    }
    const std::vector<ir::Value> wanted = always ? std::vector<ir::Value>() : ContentsToWaitFor(node, known_);
    if (!wanted.empty()) {
      turn = Turn::kLater;
      result_.waiting.push_back(node.id());
      result_.wanted.insert(result_.wanted.end(), wanted.begin(), wanted.end());
      return;
    }
    turn = Turn::kInCut;
    result_.cuts.push_back(node.id());
    if (inputs == Turn::kBefore) early_cuts_.push_back(node.id());
  }

  void RunEarlyCutsAlone() {
    std::vector<ir::NodeId> rest = std::move(result_.planned);
    for (const ir::NodeId id : result_.cuts) {
      if (std::find(early_cuts_.begin(), early_cuts_.end(), id) == early_cuts_.end()) rest.push_back(id);
    }
    result_.waiting.insert(result_.waiting.end(), rest.begin(), rest.end());
    result_.planned.clear();
    result_.cuts = early_cuts_;
    // Of what a graph would compute there is no content yet.
    std::vector<ir::Value> wanted;
    for (const ir::Value& value : result_.wanted) {
      if (TurnOf(value) == Turn::kBefore) wanted.push_back(value);
    }
    result_.wanted = std::move(wanted);
  }

  const ir::Model& model_;
  const KnownValues& known_;
  // By node id.
  std::vector<Turn> turn_;
  // Those of result_.cuts that read nothing that the graph computes.
  std::vector<ir::NodeId> early_cuts_;
  NodeGrouping result_;
};

}  // namespace

NodeGrouping GroupNodes(const ir::Model& model, absl::Span<const ir::NodeId> order, const std::vector<bool>& done,
                        const KnownValues& known) {
  return Grouping(model, known).Run(order, done);
}

}  // namespace burin::cpu

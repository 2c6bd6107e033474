#include "snippets/tokenize/tokenize.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "snippets/tokenize/body_space.h"
#include "snippets/tokenize/candidate_body.h"
#include "snippets/tokenize/graph/idle_views.h"
#include "snippets/tokenize/grouping.h"
#include "snippets/tokenize/legality.h"

namespace burin::snippets {
namespace {

using NodeIds = std::vector<ir::NodeId>;

// Makes the Subgraphs of one graph.
class GraphTokenizer {
 public:
  // `where` comes in front of names in the report.
  GraphTokenizer(ir::Model& model, const TokenizeOptions& options, std::string where, FusionReport* report)
      : model_(model), options_(options), where_(std::move(where)), report_(report) {}

  absl::Status Run() {
    BURIN_ASSIGN_OR_RETURN(Grouping grouping,
                           GroupOps(model_, &checked_epilogues_, GroupingOptions{options_.dense_anchors}));
    for (const ir::NodeId id : model_.NodeIds()) names_[id] = absl::StrCat(where_, model_.node(id).name());
    for (const auto& [id, reason] : grouping.ineligible) {
      report_->ineligible.push_back({names_[id], model_.node(id).op().name, reason});
    }
    report_->eligible_ops += grouping.eligible_ops;
    report_->eligible_anchors += grouping.eligible_anchors;
    for (size_t i = 0; i < grouping.groups.size(); ++i) {
      NodeIds& nodes = grouping.groups[i];
      if (options_.single_ops) {
        for (const ir::NodeId id : nodes) BURIN_RETURN_IF_ERROR(MakeSubgraphs(WithoutIdleViews(model_, {id}), false));
      } else {
        BURIN_RETURN_IF_ERROR(MakeSubgraphs(std::move(nodes), grouping.is_tried[i]));
      }
    }
    ReportEdges(grouping);
    return absl::OkStatus();
  }

 private:
  struct Checked {
    CandidateBody candidate;
    absl::Status status;
  };

  absl::StatusOr<Checked> Check(const NodeIds& nodes) {
    Checked checked;
    BURIN_ASSIGN_OR_RETURN(checked.candidate, BuildBody(model_, nodes));
    const ir::Model& body = *checked.candidate.body;
    checked.status =
        AnchorOf(body) != nullptr ? CheckAnchoredBody(body, &checked_epilogues_).status() : CheckBody(body).status();
    return checked;
  }

  // Makes a Subgraph of the nodes, which come in topological order. Where the body cannot be compiled after all, of as
  // many of the first of them as can, and of the rest. Of what `is_tried` that is known.
  absl::Status MakeSubgraphs(NodeIds nodes, bool is_tried) {
    if (nodes.empty()) return absl::OkStatus();
    if (nodes.size() == 1 || is_tried) {
      if (nodes.size() == 1 && IsAnchor(model_.node(nodes[0]).op())) return absl::OkStatus();
      // That the body of one node can be compiled is what makes it eligible.
      BURIN_ASSIGN_OR_RETURN(CandidateBody candidate, BuildBody(model_, nodes));
      return MakeSubgraph(nodes, std::move(candidate));
    }
    BURIN_ASSIGN_OR_RETURN(Checked checked, Check(nodes));
    if (checked.status.ok()) return MakeSubgraph(nodes, std::move(checked.candidate));
    for (const ir::NodeId id : nodes) refused_bodies_.emplace(id, std::string(checked.status.message()));
    size_t good = 1;
    size_t bad = nodes.size();
    while (bad - good > 1) {
      const size_t middle = good + (bad - good) / 2;
      BURIN_ASSIGN_OR_RETURN(const Checked part,
                             Check(NodeIds(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(middle))));
      (part.status.ok() ? good : bad) = middle;
    }
    const auto cut = nodes.begin() + static_cast<std::ptrdiff_t>(good);
    BURIN_RETURN_IF_ERROR(MakeSubgraphs(WithoutIdleViews(model_, NodeIds(nodes.begin(), cut)), false));
    return MakeSubgraphs(WithoutIdleViews(model_, NodeIds(cut, nodes.end())), false);
  }

  absl::Status MakeSubgraph(const NodeIds& nodes, CandidateBody candidate) {
    FusedSubgraph fused = Describe(nodes, candidate);
    const std::vector<ir::Value> outputs = candidate.outputs;
    ir::Patch patch(model_);
    ir::NodeSpec spec;
    spec.op = &ir::SubgraphOp();
    spec.inputs = std::move(candidate.inputs);
    spec.bodies.push_back(std::move(candidate.body));
    const ir::NodeId id = patch.AddNode(std::move(spec));
    for (size_t i = 0; i < outputs.size(); ++i) patch.Replace(outputs[i], {id, static_cast<int32_t>(i)});
    patch.SetSources(nodes);
    BURIN_RETURN_IF_ERROR(WithContext(std::move(patch).Apply(&model_), "Making a Subgraph"));
    fused.name = absl::StrCat(where_, model_.node(id).name());
    names_[id] = fused.name;
    const auto number = static_cast<int>(report_->subgraphs.size());
    for (const ir::NodeId node : nodes) subgraph_of_[node] = number;
    report_->subgraphs.push_back(std::move(fused));
    return absl::OkStatus();
  }

  FusedSubgraph Describe(const NodeIds& nodes, const CandidateBody& candidate) {
    FusedSubgraph fused;
    const absl::flat_hash_set<ir::NodeId> inside(nodes.begin(), nodes.end());
    for (const ir::NodeId id : nodes) {
      const ir::Node& node = model_.node(id);
      fused.ops.push_back(absl::StrCat(node.name(), " (", node.op().name, ")"));
      if (IsAnchor(node.op())) fused.anchor = fused.ops.back();
      for (const ir::Value& input : node.inputs()) {
        if (input.exists() && inside.contains(input.node)) fused.bytes_saved += TypicalBytes(model_.info(input));
      }
      // What nobody reads outside is not written either.
      for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
        const ir::Value value{id, i};
        const bool is_written =
            std::find(candidate.outputs.begin(), candidate.outputs.end(), value) != candidate.outputs.end();
        if (!is_written) fused.bytes_saved += TypicalBytes(model_.info(value));
      }
    }
    for (const ir::Value& value : candidate.inputs) fused.inputs.push_back(names_[value.node]);
    for (const ir::Value& value : candidate.outputs) fused.outputs.push_back(names_[value.node]);
    return fused;
  }

  void ReportEdges(const Grouping& grouping) {
    std::map<std::pair<ir::NodeId, ir::NodeId>, const GroupRefusal*> refusals;
    for (const GroupRefusal& refusal : grouping.refusals) refusals[{refusal.producer, refusal.consumer}] = &refusal;
    for (const auto& edge : grouping.edges) {
      const auto producer = subgraph_of_.find(edge.first);
      const auto consumer = subgraph_of_.find(edge.second);
      // A view that stays outside is a way to read memory, and no operation to be fused.
      const bool is_bare_anchor =
          producer == subgraph_of_.end() && model_.Contains(edge.first) && IsAnchor(model_.node(edge.first).op());
      if (producer == subgraph_of_.end() && !refused_bodies_.contains(edge.first) && !is_bare_anchor) continue;
      ++report_->eligible_edges;
      const bool is_fused =
          producer != subgraph_of_.end() && consumer != subgraph_of_.end() && producer->second == consumer->second;
      if (is_fused) {
        ++report_->fused_edges;
        continue;
      }
      FusionRefusal refusal;
      refusal.producer = names_[edge.first];
      refusal.consumer = names_[edge.second];
      const auto known = refusals.find(edge);
      if (known != refusals.end()) {
        refusal.reason = known->second->reason;
        refusal.text = known->second->text;
      } else {
        refusal.reason = options_.single_ops ? FusionReason::kSingleOps : FusionReason::kBody;
        const auto body = refused_bodies_.find(edge.first);
        if (options_.single_ops) {
          refusal.text = "Each operation was to be a Subgraph of its own";
        } else if (body != refused_bodies_.end()) {
          refusal.text = body->second;
        } else {
          refusal.reason = FusionReason::kView;
          refusal.text = "It is a view that others read as well";
        }
      }
      report_->refusals.push_back(std::move(refusal));
    }
  }

  ir::Model& model_;
  const TokenizeOptions& options_;
  const std::string where_;
  FusionReport* const report_;
  absl::flat_hash_map<ir::NodeId, std::string> names_;
  // Into report_->subgraphs.
  absl::flat_hash_map<ir::NodeId, int> subgraph_of_;
  // What was said of the body that a node was to be in.
  absl::flat_hash_map<ir::NodeId, std::string> refused_bodies_;
  CheckedEpilogues checked_epilogues_;
};

absl::Status TokenizeGraph(ir::Model& model, const TokenizeOptions& options, const std::string& where, int depth,
                           FusionReport* report) {
  // Deeper bodies have no room for one more.
  if (depth >= ir::kMaxBodyDepth) return absl::OkStatus();
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (node.code() == ir::OpCode::kSubgraph || node.bodies().empty()) continue;
    for (size_t i = 0; i < node.bodies().size(); ++i) {
      BURIN_RETURN_IF_ERROR(
          TokenizeGraph(*node.bodies()[i], options, absl::StrCat(where, node.name(), "/", i, "/"), depth + 1, report));
    }
    BURIN_RETURN_IF_ERROR(WithContext(model.InferFrom({id}), "A body was tokenized"));
  }
  return GraphTokenizer(model, options, where, report).Run();
}

}  // namespace

absl::StatusOr<FusionReport> Tokenize(ir::Model& model, const TokenizeOptions& options) {
  FusionReport report;
  BURIN_RETURN_IF_ERROR(TokenizeGraph(model, options, "", 0, &report));
  return report;
}

}  // namespace burin::snippets

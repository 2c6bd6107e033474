// Decides which operations of a model belong together.
//
// Use it through Tokenize() (tokenize.h). Groups grow from producers to consumers, in topological order; two become one
// where that closes no cycle, the joint body can be compiled, and it is faster. Deterministic. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_GROUPING_H_
#define BURIN_SNIPPETS_TOKENIZE_GROUPING_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "snippets/tokenize/fusion_report.h"

namespace burin::snippets {

// Is an edge that was not fused.
struct GroupRefusal {
  ir::NodeId producer = ir::NodeId::kNone;
  ir::NodeId consumer = ir::NodeId::kNone;
  FusionReason reason = FusionReason::kCycle;
  std::string text;
};

struct Grouping {
  // Nodes in topological order; groups in that of their first nodes. Each holds an operation that computes something;
  // an anchor alone is in none.
  std::vector<std::vector<ir::NodeId>> groups;
  // By group: whether the joint body was tried as it is, and can be compiled.
  std::vector<bool> is_tried;
  // Edges between eligible nodes, whether they lie in one group or not.
  std::vector<std::pair<ir::NodeId, ir::NodeId>> edges;
  std::vector<GroupRefusal> refusals;
  // Nodes that can be in no group, and why.
  std::vector<std::pair<ir::NodeId, std::string>> ineligible;
  // Of operations that compute something, dense anchors apart, and of those.
  int64_t eligible_ops = 0;
  int64_t eligible_anchors = 0;
};

struct GroupingOptions {
  // Lets a group have one dense anchor (snippets/anchor), with nothing but element-wise operations beside it.
  bool dense_anchors = false;
};

// Groups the nodes of `model`, bodies apart. Epilogues that `checked` remembers are not compiled again.
// InvalidArgument where the model has a cycle.
absl::StatusOr<Grouping> GroupOps(const ir::Model& model, CheckedEpilogues* checked,
                                  const GroupingOptions& options = {});

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_GROUPING_H_

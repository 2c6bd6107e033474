// Says what a dense anchor (snippets/anchor) allows beside it in its group, and what it had better leave to others.
//
// Use it while groups grow, where one of two has an anchor: the space of such a group is that of its epilogue, in which
// the anchor and what it reads do not appear, so that spaces alone tell nothing. The functions are stateless and
// thread-safe; AnchorRules is for one thread.
#ifndef BURIN_SNIPPETS_TOKENIZE_ANCHOR_ANCHOR_RULES_H_
#define BURIN_SNIPPETS_TOKENIZE_ANCHOR_ANCHOR_RULES_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "snippets/tokenize/fusion_report.h"
#include "snippets/tokenize/iteration_space.h"

namespace burin::snippets {

// Is a group, by positions in a topological order.
struct GroupMembers {
  // In any order.
  absl::Span<const int> members;
  // The dense anchor among them, or -1.
  int anchor = -1;
};

class AnchorRules {
 public:
  // `order` is a topological order of `model`; all three outlive this.
  AnchorRules(const ir::Model& model, absl::Span<const ir::NodeId> order, CheckedEpilogues* checked)
      : model_(model), order_(order), checked_(*checked) {}

  // Returns why two groups, of which at least one has an anchor, cannot be one, or nullopt where they can: then
  // `space` becomes the space of the epilogue of both. What says no without a trial comes first.
  std::optional<std::pair<FusionReason, std::string>> WhyNotTogether(const GroupMembers& from, const GroupMembers& to,
                                                                     std::optional<IterationSpace>* space);

  // Returns what `to` reads of `from`, by node and output.
  std::vector<ir::Value> ValuesRead(const GroupMembers& from, const GroupMembers& to) const;

 private:
  const ir::Node& NodeAt(int position) const { return model_.node(order_[static_cast<size_t>(position)]); }
  absl::StatusOr<IterationSpace> TryTogether(const GroupMembers& from, const GroupMembers& to);

  const ir::Model& model_;
  const absl::Span<const ir::NodeId> order_;
  CheckedEpilogues& checked_;
};

// Returns the group that might compute `last`, a node of the anchor's group `anchored`, just as well: the one that
// alone reads it, element by element, where `last` changes one value of `anchored` by single values and no more. Groups
// are as `group_of` numbers them.
std::optional<int> GroupToHandOnTo(const ir::Model& model, const ir::Node& last, int anchored,
                                   absl::FunctionRef<int(ir::NodeId)> group_of);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_ANCHOR_ANCHOR_RULES_H_

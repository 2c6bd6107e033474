#include "snippets/tokenize/anchor/anchor_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/tokenize/anchor/anchor_space.h"
#include "snippets/tokenize/body_space.h"
#include "snippets/tokenize/candidate_body.h"
#include "snippets/tokenize/legality.h"

namespace burin::snippets {
namespace {

using Refusal = std::pair<FusionReason, std::string>;

bool IsSingleValue(const ir::PartialShape& shape) {
  return shape.has_rank() && std::all_of(shape.dims().begin(), shape.dims().end(),
                                         [](const ir::Dimension& dim) { return dim == ir::Dimension(1); });
}

}  // namespace

std::optional<Refusal> AnchorRules::WhyNotTogether(const GroupMembers& from, const GroupMembers& to,
                                                   std::optional<IterationSpace>* space) {
  if (from.anchor >= 0 && to.anchor >= 0) {
    return Refusal{FusionReason::kAnchors, absl::StrCat("Both have a dense anchor: '", NodeAt(from.anchor).name(),
                                                        "' and '", NodeAt(to.anchor).name(), "'")};
  }
  for (const GroupMembers* group : {&from, &to}) {
    for (const int member : group->members) {
      const ir::Node& node = NodeAt(member);
      if (!node.op().Has(ir::kMovesData)) continue;
      return Refusal{FusionReason::kEpilogue,
                     absl::StrCat("A view beside a dense anchor: '", node.name(), "' (", node.op().name, ")")};
    }
  }
  const size_t nodes = from.members.size() + to.members.size();
  if (nodes > kMaxTrialNodes) {
    return Refusal{FusionReason::kEpilogue, absl::StrCat("More operations than an epilogue is tried for: ", nodes)};
  }
  absl::StatusOr<IterationSpace> tried = TryTogether(from, to);
  if (!tried.ok()) return Refusal{FusionReason::kEpilogue, std::string(tried.status().message())};
  *space = *std::move(tried);
  return std::nullopt;
}

absl::StatusOr<IterationSpace> AnchorRules::TryTogether(const GroupMembers& from, const GroupMembers& to) {
  std::vector<int> members(from.members.begin(), from.members.end());
  members.insert(members.end(), to.members.begin(), to.members.end());
  std::sort(members.begin(), members.end());
  std::vector<ir::NodeId> nodes;
  for (const int member : members) nodes.push_back(order_[static_cast<size_t>(member)]);
  BURIN_ASSIGN_OR_RETURN(const CandidateBody candidate, BuildBody(model_, nodes));
  BURIN_ASSIGN_OR_RETURN(const AnchoredBody split, CheckAnchoredBody(*candidate.body, &checked_));
  BURIN_ASSIGN_OR_RETURN(const BodySpace space, DescribeEpilogue(split));
  return IterationSpace(space, {}, candidate.outputs);
}

std::vector<ir::Value> AnchorRules::ValuesRead(const GroupMembers& from, const GroupMembers& to) const {
  absl::flat_hash_set<ir::NodeId> giving;
  for (const int member : from.members) giving.insert(NodeAt(member).id());
  absl::btree_set<std::pair<int32_t, int32_t>> read;
  for (const int member : to.members) {
    for (const ir::Value& input : NodeAt(member).inputs()) {
      if (input.exists() && giving.contains(input.node)) read.emplace(ir::Index(input.node), input.output);
    }
  }
  std::vector<ir::Value> values;
  for (const auto& [node, output] : read) values.push_back({static_cast<ir::NodeId>(node), output});
  return values;
}

std::optional<int> GroupToHandOnTo(const ir::Model& model, const ir::Node& last, int anchored,
                                   absl::FunctionRef<int(ir::NodeId)> group_of) {
  int read_inside = 0;
  for (const ir::Value& input : last.inputs()) {
    if (!input.exists()) continue;
    if (group_of(input.node) == anchored) {
      ++read_inside;
    } else if (!IsSingleValue(model.info(input).shape)) {
      return std::nullopt;
    }
  }
  // What is left of the group stays in one piece.
  if (read_inside != 1 || last.input_count() < 2) return std::nullopt;
  std::optional<int> reader;
  for (const ir::Use& use : model.UsesOf({last.id(), 0})) {
    const int group = group_of(use.node);
    if (reader.has_value() && *reader != group) return std::nullopt;
    reader = group;
    if (!model.node(use.node).op().Has(ir::kElementwise)) return std::nullopt;
  }
  return reader;
}

}  // namespace burin::snippets

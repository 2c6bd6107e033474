#include "snippets/tokenize/grouping.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "snippets/tokenize/anchor/anchor_rules.h"
#include "snippets/tokenize/body_space.h"
#include "snippets/tokenize/candidate_body.h"
#include "snippets/tokenize/graph/group_graph.h"
#include "snippets/tokenize/graph/idle_views.h"
#include "snippets/tokenize/iteration_space.h"
#include "snippets/tokenize/legality.h"
#include "snippets/tokenize/op_eligibility.h"
#include "snippets/tokenize/profit.h"

namespace burin::snippets {
namespace {

// Sweeps over refused edges, which other joins may have made possible. Nearly
// all that there is to gain comes of the first.
constexpr int kMaxSweeps = 4;

using Refusal = std::pair<FusionReason, std::string>;

// Is what is known of a group, at the node that stands for it.
struct Group {
  OpRole role = OpRole::kOutside;
  // The dense anchor among the members, or -1.
  int anchor = -1;
  std::vector<int> members;
  IterationSpace space;
  // What it reads and writes; the values that it writes.
  double bytes = 0;
  std::vector<ir::Value> outputs;
  KernelCost cost;
  // Grows with the group.
  int version = 0;
  // How many members its body had when that was tried last, 0 where it has
  // changed without a trial since. Members that are handed on make them fewer.
  size_t tried_members = 0;
};

// Is what becomes of two groups.
struct JoinedGroups {
  std::optional<IterationSpace::Join> plan;
  // In place of a plan, where the body was tried.
  std::optional<IterationSpace> tried;
  double bytes = 0;
  std::vector<ir::Value> outputs;
  KernelCost cost;
};

class Grouper {
 public:
  Grouper(const ir::Model& model, CheckedEpilogues* checked, const GroupingOptions& options,
          std::vector<ir::NodeId> order)
      : model_(model),
        checked_(*checked),
        options_(options),
        order_(std::move(order)),
        anchor_rules_(model_, order_, &checked_),
        position_(static_cast<size_t>(model.id_bound()), -1),
        graph_(ReadersOf()) {}

  Grouping Run() {
    Classify();
    for (size_t i = 0; i < order_.size(); ++i) {
      if (roles_[i] == OpRole::kCompute) JoinInputsOf(static_cast<int>(i));
      if (roles_[i] == OpRole::kTail) JoinTail(static_cast<int>(i));
    }
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      const bool joined = TryRefusedAgain();
      const bool joined_tails = TryTailsAgain();
      if (!joined && !joined_tails) break;
    }
    for (size_t i = 0; i < order_.size(); ++i) {
      if (roles_[i] == OpRole::kAnchor) HandOn(graph_.Find(static_cast<int>(i)));
    }
    Collect();
    return std::move(result_);
  }

 private:
  struct Refused {
    Refusal refusal;
    // Of both groups, when they were refused.
    int producer_version = 0;
    int consumer_version = 0;
  };
  using Edge = std::pair<int, int>;

  std::vector<std::vector<int>> ReadersOf() {
    for (size_t i = 0; i < order_.size(); ++i) position_[PlaceOf(order_[i])] = static_cast<int>(i);
    std::vector<std::vector<int>> readers(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) {
      for (const ir::Value& input : model_.node(order_[i]).inputs()) {
        if (input.exists()) readers[static_cast<size_t>(PositionOf(input.node))].push_back(static_cast<int>(i));
      }
    }
    return readers;
  }

  static size_t PlaceOf(ir::NodeId id) { return static_cast<size_t>(ir::Index(id)); }
  int PositionOf(ir::NodeId id) const { return position_[PlaceOf(id)]; }
  ir::NodeId NodeAt(int position) const { return order_[static_cast<size_t>(position)]; }
  static GroupMembers MembersOf(const Group& group) { return {group.members, group.anchor}; }
  Group& GroupOf(int position) { return groups_[static_cast<size_t>(graph_.Find(position))]; }

  void Classify() {
    EligibilityTest test(model_, order_, &checked_, options_.dense_anchors);
    groups_.resize(order_.size());
    roles_.resize(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) {
      const ir::Node& node = model_.node(order_[i]);
      OpEligibility eligibility = test.Of(node);
      Group& group = groups_[i];
      roles_[i] = group.role = eligibility.role;
      group.members = {static_cast<int>(i)};
      group.space = std::move(eligibility.space);
      for (const ir::Value& input : node.inputs()) {
        if (input.exists()) group.bytes += TypicalBytes(model_.info(input));
      }
      for (int32_t k = 0; k < static_cast<int32_t>(node.output_count()); ++k) {
        group.bytes += TypicalBytes(node.output(k));
        group.outputs.push_back({node.id(), k});
      }
      group.cost = CostOfKernel(group.space.axes(), group.space.work(), {}, group.bytes);
      if (eligibility.role == OpRole::kCompute) ++result_.eligible_ops;
      if (eligibility.role == OpRole::kAnchor) {
        ++result_.eligible_anchors;
        group.anchor = static_cast<int>(i);
      }
      reasons_.push_back(std::move(eligibility.reason));
    }
  }

  // Joins the group of a node with those of what it reads: the last anchor
  // first, which takes what would otherwise read its result from memory; then
  // the nearest first, so that what lies between two groups joins them before
  // they meet. Views come in with what reads them, and what they read after
  // them.
  void JoinInputsOf(int consumer) {
    std::vector<int> open = {consumer};
    while (!open.empty()) {
      const int reader = open.back();
      open.pop_back();
      std::vector<int> producers;
      for (const ir::Value& input : model_.node(NodeAt(reader)).inputs()) {
        if (input.exists()) producers.push_back(PositionOf(input.node));
      }
      std::sort(producers.begin(), producers.end(), [this](int a, int b) {
        return std::make_pair(GroupOf(a).anchor, a) > std::make_pair(GroupOf(b).anchor, b);
      });
      producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
      for (const int producer : producers) {
        const OpRole role = roles_[static_cast<size_t>(producer)];
        if (role == OpRole::kOutside || role == OpRole::kTail) continue;
        const bool is_joined = TryEdge({producer, reader});
        if (is_joined && role != OpRole::kCompute && role != OpRole::kAnchor) open.push_back(producer);
      }
    }
  }

  // Joins a tail with the group that gives all that it joins. Returns whether
  // it did.
  bool JoinTail(int tail) {
    int from = -1;
    int producer = -1;
    for (const ir::Value& input : model_.node(NodeAt(tail)).inputs()) {
      const int position = PositionOf(input.node);
      const int group = graph_.Find(position);
      const bool computes = groups_[static_cast<size_t>(group)].role == OpRole::kCompute;
      if (!computes || (from >= 0 && group != from)) return false;
      from = group;
      producer = position;
    }
    return producer >= 0 && TryEdge({producer, tail});
  }

  bool TryTailsAgain() {
    bool changed = false;
    for (size_t i = 0; i < order_.size(); ++i) {
      if (groups_[i].role == OpRole::kTail) changed = JoinTail(static_cast<int>(i)) || changed;
    }
    return changed;
  }

  // Returns whether the nodes are in one group afterwards, and were not before.
  bool TryEdge(Edge edge) {
    const bool is_candidate = roles_[static_cast<size_t>(edge.first)] != OpRole::kConditional;
    if (is_candidate) edges_.insert(edge);
    const int producer = graph_.Find(edge.first);
    const int consumer = graph_.Find(edge.second);
    if (producer == consumer) {
      refused_.erase(edge);
      return false;
    }
    std::optional<Refusal> refusal = TryJoin(producer, consumer);
    if (!refusal.has_value()) {
      edges_.insert(edge);
      refused_.erase(edge);
      return true;
    }
    // Of what may depend on its reader the refusal says that it cannot be in a
    // Subgraph.
    if (is_candidate)
      refused_[edge] = {*std::move(refusal), groups_[static_cast<size_t>(producer)].version,
                        groups_[static_cast<size_t>(consumer)].version};
    return false;
  }

  bool TryRefusedAgain() {
    bool changed = false;
    const absl::btree_map<Edge, Refused> refused = refused_;
    for (const auto& [edge, old] : refused) {
      const bool is_same =
          GroupOf(edge.first).version == old.producer_version && GroupOf(edge.second).version == old.consumer_version;
      if (is_same || !TryEdge(edge)) continue;
      changed = true;
      const OpRole role = roles_[static_cast<size_t>(edge.first)];
      if (role != OpRole::kCompute && role != OpRole::kAnchor) JoinInputsOf(edge.first);
    }
    return changed;
  }

  std::optional<Refusal> TryJoin(int producer, int consumer) {
    const Group& from = groups_[static_cast<size_t>(producer)];
    const Group& to = groups_[static_cast<size_t>(consumer)];
    if (graph_.HasWayAround(producer, consumer)) {
      const ir::Node& third = model_.node(NodeAt(graph_.third()));
      return Refusal{FusionReason::kCycle, absl::StrCat("A way leads through '", third.name(), "' (", third.op().name,
                                                        "), which is outside")};
    }
    JoinedGroups joined;
    if (std::optional<Refusal> refusal = PlanJoin(from, to, &joined); refusal.has_value()) return refusal;
    Reckon(producer, consumer, &joined);
    const bool is_anchored = from.anchor >= 0 || to.anchor >= 0;
    std::optional<Refusal> refusal = WhyNoProfit(from.cost, to.cost, joined.cost, is_anchored);
    if (!refusal.has_value()) Join(producer, consumer, std::move(joined));
    return refusal;
  }

  // Says how the spaces become one, or why they do not. Where axes do not tell,
  // the body does.
  std::optional<Refusal> PlanJoin(const Group& from, const Group& to, JoinedGroups* joined) {
    if (from.anchor >= 0 || to.anchor >= 0) {
      return anchor_rules_.WhyNotTogether(MembersOf(from), MembersOf(to), &joined->tried);
    }
    const bool is_certain = from.role != OpRole::kConditional && to.role != OpRole::kConditional;
    if (is_certain) {
      IterationSpace::Join plan = IterationSpace::Plan(from.space, to.space);
      switch (plan.conflict) {
        case IterationSpace::Conflict::kNone:
          joined->plan = std::move(plan);
          return std::nullopt;
        case IterationSpace::Conflict::kTwiceAlongAxis:
          return Refusal{FusionReason::kAxes, "A value would vary twice along one axis"};
        case IterationSpace::Conflict::kTooManyAxes:
          return Refusal{FusionReason::kAxes, absl::StrCat("More axes than ", kMaxSpaceAxes)};
        case IterationSpace::Conflict::kMemory:
          break;
      }
    }
    const size_t nodes = from.members.size() + to.members.size();
    if (nodes > kMaxTrialNodes) {
      return Refusal{FusionReason::kView, absl::StrCat("A view of what is not memory, and too many operations to find "
                                                       "out whether it can be read otherwise: ",
                                                       nodes)};
    }
    absl::StatusOr<IterationSpace> tried = Try(from, to.members);
    if (!tried.ok()) {
      return Refusal{is_certain ? FusionReason::kView : FusionReason::kBody, std::string(tried.status().message())};
    }
    joined->tried = *std::move(tried);
    return std::nullopt;
  }

  // Returns the space of the joint body, where that can be compiled.
  absl::StatusOr<IterationSpace> Try(const Group& group, const std::vector<int>& others) const {
    std::vector<int> members = group.members;
    members.insert(members.end(), others.begin(), others.end());
    BURIN_ASSIGN_OR_RETURN(const CandidateBody candidate, BuildBody(model_, NodesOf(std::move(members))));
    BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> primitive, CheckBody(*candidate.body));
    BURIN_ASSIGN_OR_RETURN(const BodySpace space, DescribeBody(*primitive));
    return IterationSpace(space, candidate.inputs, candidate.outputs);
  }

  std::vector<ir::NodeId> NodesOf(std::vector<int> members) const {
    std::sort(members.begin(), members.end());
    std::vector<ir::NodeId> nodes;
    for (const int member : members) nodes.push_back(NodeAt(member));
    return nodes;
  }

  // Says what both read and write as one, and what that costs: what one gives
  // the other is not read any more, and not written where nobody else reads it.
  void Reckon(int producer, int consumer, JoinedGroups* joined) {
    const Group& from = groups_[static_cast<size_t>(producer)];
    const Group& to = groups_[static_cast<size_t>(consumer)];
    const auto is_read_outside = [&](ir::Value value) {
      const std::vector<ir::Use> uses = model_.UsesOf(value);
      return std::any_of(uses.begin(), uses.end(), [&](const ir::Use& use) {
        const int reader = graph_.Find(PositionOf(use.node));
        return reader != producer && reader != consumer;
      });
    };
    joined->bytes = from.bytes + to.bytes;
    for (const ir::Value& value : ValuesBetween(from, to)) joined->bytes -= TypicalBytes(model_.info(value));
    std::vector<StoredValue> stored;
    for (const Group* group : {&from, &to}) {
      for (const ir::Value& value : group->outputs) {
        const double bytes = TypicalBytes(model_.info(value));
        if (!is_read_outside(value)) {
          joined->bytes -= bytes;
          continue;
        }
        joined->outputs.push_back(value);
        AxisMask axes = 0;
        if (joined->tried.has_value()) {
          axes = joined->tried->AxesOf(value);
        } else {
          axes = MappedAxes(group->space.AxesOf(value),
                            group == &from ? joined->plan->from_left : joined->plan->from_right);
        }
        stored.push_back({axes, bytes});
      }
    }
    joined->bytes = std::max(0.0, joined->bytes);
    const IterationSpace* tried = joined->tried.has_value() ? &*joined->tried : nullptr;
    joined->cost = CostOfKernel(tried != nullptr ? tried->axes() : joined->plan->axes,
                                tried != nullptr ? tried->work() : joined->plan->work, stored, joined->bytes);
  }

  std::vector<ir::Value> ValuesBetween(const Group& from, const Group& to) const {
    if (from.anchor >= 0 || to.anchor >= 0) return anchor_rules_.ValuesRead(MembersOf(from), MembersOf(to));
    if (from.role != OpRole::kConditional && to.role != OpRole::kConditional) {
      return IterationSpace::Between(from.space, to.space);
    }
    // Such a group is one node.
    std::vector<ir::Value> values;
    const Group& one = from.role == OpRole::kConditional ? from : to;
    for (int32_t i = 0; i < static_cast<int32_t>(model_.node(NodeAt(one.members[0])).output_count()); ++i) {
      values.push_back({NodeAt(one.members[0]), i});
    }
    return values;
  }

  void Join(int producer, int consumer, JoinedGroups joined) {
    const int into = graph_.Join(producer, consumer);
    const int other = into == producer ? consumer : producer;
    Group& group = groups_[static_cast<size_t>(into)];
    Group& gone = groups_[static_cast<size_t>(other)];
    const size_t members = group.members.size() + gone.members.size();
    group.tried_members = joined.tried.has_value() ? members : 0;
    if (joined.tried.has_value()) {
      group.space = *std::move(joined.tried);
    } else {
      // The one with fewer values goes into the other.
      const bool keeps_mine = group.members.size() >= gone.members.size();
      if (!keeps_mine) std::swap(group.space, gone.space);
      group.space.Apply(*joined.plan, std::move(gone.space), (into == producer) == keeps_mine);
    }
    group.members.insert(group.members.end(), gone.members.begin(), gone.members.end());
    group.role = OpRole::kCompute;
    group.anchor = std::max(group.anchor, gone.anchor);
    group.bytes = joined.bytes;
    group.outputs = std::move(joined.outputs);
    group.cost = joined.cost;
    group.version = std::max(group.version, gone.version) + 1;
    gone = Group();
  }

  // Hands what an anchor's group would compute last, a scale in front of a mask that is no epilogue, on to the kernel
  // with a reduction that reads it: nothing is read or written more, and what belongs together is in one place.
  void HandOn(int anchored) {
    Group& from = groups_[static_cast<size_t>(anchored)];
    std::sort(from.members.begin(), from.members.end());
    while (!from.members.empty() && from.members.back() != from.anchor) {
      const int last = from.members.back();
      const std::optional<int> reader = ReaderOf(last, anchored);
      if (!reader.has_value()) return;
      Group& to = groups_[static_cast<size_t>(*reader)];
      absl::StatusOr<IterationSpace> space = Try(to, {last});
      if (!space.ok()) return;
      to.space = *std::move(space);
      to.members.push_back(last);
      to.tried_members = to.members.size();
      from.members.pop_back();
      handed_on_[last] = *reader;
      for (const ir::Value& input : model_.node(NodeAt(last)).inputs()) {
        if (!input.exists()) continue;
        const Edge edge = {PositionOf(input.node), last};
        if (edges_.count(edge) == 0) continue;
        refused_[edge] = {{FusionReason::kEpilogue, "It goes with the reduction that follows"}, 0, 0};
      }
    }
  }

  // Returns the group with a reduction that is to have `last`, of an anchor's group.
  std::optional<int> ReaderOf(int last, int anchored) {
    const std::optional<int> reader = GroupToHandOnTo(model_, model_.node(NodeAt(last)), anchored,
                                                      [this](ir::NodeId id) { return GroupAt(PositionOf(id)); });
    if (!reader.has_value()) return std::nullopt;
    const Group& to = groups_[static_cast<size_t>(*reader)];
    const bool reduces = std::any_of(to.space.axes().begin(), to.space.axes().end(),
                                     [](const SpaceAxis& axis) { return axis.is_reduced; });
    return to.role == OpRole::kCompute && to.anchor < 0 && reduces ? reader : std::nullopt;
  }

  // Returns the group of a node, which may have been handed on.
  int GroupAt(int position) {
    const auto it = handed_on_.find(position);
    return it != handed_on_.end() ? it->second : graph_.Find(position);
  }

  void Collect() {
    // First nodes of groups.
    absl::flat_hash_set<ir::NodeId> tried;
    for (size_t i = 0; i < order_.size(); ++i) {
      if (graph_.Find(static_cast<int>(i)) != static_cast<int>(i)) continue;
      if (!reasons_[i].empty() && groups_[i].role != OpRole::kCompute)
        result_.ineligible.emplace_back(order_[i], std::move(reasons_[i]));
      if (groups_[i].role != OpRole::kCompute) continue;
      const bool is_bare_anchor = groups_[i].anchor >= 0 && groups_[i].members.size() == 1;
      if (is_bare_anchor) continue;
      std::vector<ir::NodeId> nodes = WithoutIdleViews(model_, NodesOf(groups_[i].members));
      if (nodes.empty()) continue;
      if (nodes.size() == groups_[i].tried_members) tried.insert(nodes.front());
      result_.groups.push_back(std::move(nodes));
    }
    std::sort(result_.groups.begin(), result_.groups.end(),
              [this](const auto& a, const auto& b) { return PositionOf(a.front()) < PositionOf(b.front()); });
    for (const auto& group : result_.groups) result_.is_tried.push_back(tried.contains(group.front()));
    for (const Edge& edge : edges_) result_.edges.emplace_back(NodeAt(edge.first), NodeAt(edge.second));
    for (auto& [edge, refused] : refused_) {
      if (GroupAt(edge.first) == GroupAt(edge.second)) continue;
      result_.refusals.push_back(
          {NodeAt(edge.first), NodeAt(edge.second), refused.refusal.first, std::move(refused.refusal.second)});
    }
  }

  const ir::Model& model_;
  CheckedEpilogues& checked_;
  const GroupingOptions options_;
  const std::vector<ir::NodeId> order_;
  AnchorRules anchor_rules_;
  // Of each node id, in order_.
  std::vector<int> position_;
  GroupGraph graph_;
  std::vector<Group> groups_;
  std::vector<OpRole> roles_;
  // Why a node stays outside, where that does not go without saying.
  std::vector<std::string> reasons_;
  // Nodes that HandOn() moved, and where.
  absl::flat_hash_map<int, int> handed_on_;
  absl::btree_set<Edge> edges_;
  absl::btree_map<Edge, Refused> refused_;
  Grouping result_;
};

}  // namespace

absl::StatusOr<Grouping> GroupOps(const ir::Model& model, CheckedEpilogues* checked, const GroupingOptions& options) {
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::NodeId> order, model.TopologicalOrder());
  return Grouper(model, checked, options, std::move(order)).Run();
}

}  // namespace burin::snippets

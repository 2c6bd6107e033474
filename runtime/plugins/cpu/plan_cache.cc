#include "runtime/plugins/cpu/plan_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/status_macros.h"
#include "runtime/plugins/cpu/segments/cut_node.h"
#include "runtime/plugins/cpu/segments/cut_rule.h"

namespace burin::cpu {

namespace {

// Appends the elements to a key, eight bytes to a number.
void AppendContent(const ir::Tensor& tensor, std::vector<int64_t>* key) {
  const char* bytes = static_cast<const char*>(tensor.data());
  for (size_t i = 0; i < tensor.byte_size(); i += sizeof(int64_t)) {
    int64_t word = 0;
    std::memcpy(&word, bytes + i, std::min(sizeof(word), tensor.byte_size() - i));
    key->push_back(word);
  }
}

// Makes `key` what decides the segment after `segment`.
void MakeKey(const Segment& segment, absl::Span<const ir::Tensor> slots, std::vector<int64_t>* key) {
  key->clear();
  key->push_back(segment.id);
  for (const SegmentFinding& finding : segment.findings) {
    const ir::Tensor& tensor = slots[static_cast<size_t>(finding.slot)];
    key->push_back(static_cast<int64_t>(tensor.shape().size()));
    key->insert(key->end(), tensor.shape().begin(), tensor.shape().end());
    if (finding.content) AppendContent(tensor, key);
  }
}

}  // namespace

PlanCache::PlanCache(const ir::Model* model, std::vector<std::shared_ptr<const Node>> nodes, const NodeContext& context,
                     bool always_segments)
    : planner_(model, nodes, context), always_segments_(always_segments) {
  for (const ir::NodeId id : model->NodeIds()) {
    const ir::Node& node = model->node(id);
    if (node.bodies().empty() || !AlwaysCuts(node)) continue;
    const auto& cut = static_cast<const CutNode&>(*nodes[static_cast<size_t>(ir::Index(id))]);
    for (size_t i = 0; i < node.bodies().size(); ++i) {
      const ir::Model* body = node.bodies()[i].get();
      bodies_.emplace(body, std::make_unique<PlanCache>(body, cut.bodies()[i], context, /*always_segments=*/true));
    }
  }
}

absl::StatusOr<std::shared_ptr<const ModelPlan>> PlanCache::For(absl::Span<const ir::Shape> inputs,
                                                                const PlanningHelp& help) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const ModelPlan> plan = Find(inputs);
    if (plan != nullptr) return plan;
  }
  BURIN_ASSIGN_OR_RETURN(ModelPlan made, planner_.Begin(inputs, always_segments_, help));
  // What follows without news is planned now rather than in the first inference.
  std::shared_ptr<const Segment> known = made.segment;
  std::vector<int64_t> key;
  while (known != nullptr && !known->is_last && known->findings.empty()) {
    BURIN_ASSIGN_OR_RETURN(known, Next(*known, {}, &key));
  }
  auto plan = std::make_shared<const ModelPlan>(std::move(made));
  std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have been faster: streams then need one graph only.
  std::shared_ptr<const ModelPlan> earlier = Find(inputs);
  if (earlier != nullptr) return earlier;
  entries_.push_front({{inputs.begin(), inputs.end()}, plan});
  if (entries_.size() > kMostPlans) entries_.pop_back();
  return plan;
}

std::shared_ptr<const ModelPlan> PlanCache::Find(absl::Span<const ir::Shape> inputs) {
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (absl::MakeConstSpan(entry->inputs) != inputs) continue;
    if (entry != entries_.begin()) entries_.splice(entries_.begin(), entries_, entry);
    return entries_.front().plan;
  }
  return nullptr;
}

absl::StatusOr<std::shared_ptr<const Segment>> PlanCache::Next(const Segment& segment,
                                                               absl::Span<const ir::Tensor> slots,
                                                               std::vector<int64_t>* key) {
  MakeKey(segment, slots, key);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const Segment> next = FindNext(*key);
    if (next != nullptr) return next;
  }
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const Segment> next, planner_.Next(segment, slots));
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Segment> earlier = FindNext(*key);
  if (earlier != nullptr) return earlier;
  next_.push_front({*key, next});
  next_of_.emplace(*key, next_.begin());
  if (next_.size() > kMostSegments) {
    next_of_.erase(next_.back().key);
    next_.pop_back();
  }
  return next;
}

std::shared_ptr<const Segment> PlanCache::FindNext(const std::vector<int64_t>& key) {
  const auto found = next_of_.find(key);
  if (found == next_of_.end()) return nullptr;
  if (found->second != next_.begin()) next_.splice(next_.begin(), next_, found->second);
  return found->second->segment;
}

}  // namespace burin::cpu

#include "runtime/plugins/cpu/plan_cache.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/status_macros.h"
#include "ir/dimension.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
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

// Returns whether a node is cut because of its bodies.
bool RunsBodies(const ir::Node& node) { return !node.bodies().empty() && AlwaysCuts(node); }

// Returns how many bodies a model has, with those in bodies.
int64_t BodiesOf(const ir::Model& model) {
  int64_t count = 0;
  for (const ir::NodeId id : model.NodeIds()) {
    if (!RunsBodies(model.node(id))) continue;
    for (const std::unique_ptr<ir::Model>& body : model.node(id).bodies()) count += 1 + BodiesOf(*body);
  }
  return count;
}

// Returns about how many bytes a segment takes.
int64_t BytesOf(const Segment& segment) {
  size_t bytes = sizeof(Segment) + segment.progress.done.size() / 8;
  bytes += (segment.inputs.size() + segment.released.size() + segment.progress.live.size()) * sizeof(int);
  bytes += segment.outputs.size() * sizeof(SegmentOutput) + segment.findings.size() * sizeof(SegmentFinding);
  bytes += segment.results.size() * sizeof(SegmentSource);
  for (const Cut& cut : segment.cuts) bytes += sizeof(Cut) + cut.inputs.size() * sizeof(SegmentSource);
  for (const auto& [value, info] : segment.progress.given) {
    bytes += sizeof(value) + sizeof(info) + info.constant.byte_size();
    if (info.shape.has_rank()) bytes += static_cast<size_t>(info.shape.rank()) * sizeof(ir::Dimension);
    if (info.content.has_value()) bytes += info.content->size() * sizeof(ir::Dimension);
  }
  return static_cast<int64_t>(bytes) + (segment.graph != nullptr ? segment.graph->bytes() : 0);
}

// Returns about how many bytes a plan takes, without the segments that follow its first one.
int64_t BytesOf(const ModelPlan& plan) {
  auto bytes = static_cast<int64_t>(sizeof(ModelPlan));
  for (const ir::Shape& shape : plan.outputs) bytes += static_cast<int64_t>(shape.size() * sizeof(int64_t));
  if (plan.graph != nullptr) bytes += plan.graph->bytes();
  if (plan.segment != nullptr) bytes += BytesOf(*plan.segment);
  return bytes;
}

}  // namespace

PlanCache::PlanCache(const ir::Model* model, std::vector<std::shared_ptr<const Node>> nodes, const NodeContext& context,
                     bool always_segments, int64_t most_bytes)
    : planner_(model, nodes, context),
      always_segments_(always_segments),
      most_bytes_(most_bytes / (1 + BodiesOf(*model))) {
  for (const ir::NodeId id : model->NodeIds()) {
    const ir::Node& node = model->node(id);
    if (!RunsBodies(node)) continue;
    const auto& cut = static_cast<const CutNode&>(*nodes[static_cast<size_t>(ir::Index(id))]);
    for (size_t i = 0; i < node.bodies().size(); ++i) {
      const ir::Model* body = node.bodies()[i].get();
      const int64_t share = most_bytes_ * (1 + BodiesOf(*body));
      bodies_.emplace(body,
                      std::make_unique<PlanCache>(body, cut.bodies()[i], context, /*always_segments=*/true, share));
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
  Entry entry;
  entry.inputs.assign(inputs.begin(), inputs.end());
  entry.bytes = BytesOf(made);
  entry.plan = std::make_shared<const ModelPlan>(std::move(made));
  // Goes without the lock.
  std::list<Entry> gone;
  std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have been faster: streams then need one graph only.
  std::shared_ptr<const ModelPlan> earlier = Find(inputs);
  if (earlier != nullptr) return earlier;
  Keep(std::move(entry), &gone);
  return entries_.front().plan;
}

std::shared_ptr<const ModelPlan> PlanCache::Find(absl::Span<const ir::Shape> inputs) {
  const auto found = plan_of_.find(inputs);
  if (found == plan_of_.end()) return nullptr;
  if (found->second != entries_.begin()) entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->plan;
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
  Entry entry;
  BURIN_ASSIGN_OR_RETURN(entry.segment, planner_.Next(segment, slots));
  entry.key = *key;
  entry.bytes = BytesOf(*entry.segment) + static_cast<int64_t>(entry.key.size() * sizeof(int64_t));
  // Goes without the lock.
  std::list<Entry> gone;
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Segment> earlier = FindNext(*key);
  if (earlier != nullptr) return earlier;
  Keep(std::move(entry), &gone);
  return entries_.front().segment;
}

std::shared_ptr<const Segment> PlanCache::FindNext(const std::vector<int64_t>& key) {
  const auto found = next_of_.find(key);
  if (found == next_of_.end()) return nullptr;
  if (found->second != entries_.begin()) entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->segment;
}

void PlanCache::Keep(Entry entry, std::list<Entry>* gone) {
  bytes_ += entry.bytes;
  entries_.push_front(std::move(entry));
  const auto kept = entries_.begin();
  if (kept->plan != nullptr) {
    plan_of_.emplace(kept->inputs, kept);
  } else {
    next_of_.emplace(kept->key, kept);
  }
  while (bytes_ > most_bytes_ && entries_.size() > 1) {
    const auto last = std::prev(entries_.end());
    if (last->plan != nullptr) {
      plan_of_.erase(last->inputs);
    } else {
      next_of_.erase(last->key);
    }
    bytes_ -= last->bytes;
    gone->splice(gone->end(), entries_, last);
  }
}

int64_t PlanCache::bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return bytes_;
}

}  // namespace burin::cpu

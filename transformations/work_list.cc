#include "transformations/work_list.h"

#include <utility>

namespace burin::transformations {

void WorkList::Add(ir::NodeId node) {
  const auto index = static_cast<size_t>(ir::Index(node));
  if (index >= waiting_.size()) waiting_.resize(static_cast<size_t>(model_.id_bound()));
  if (waiting_[index]) return;
  waiting_[index] = true;
  queue_.push_back(node);
}

void WorkList::AppendReaders(ir::NodeId node, std::vector<ir::NodeId>* readers) {
  if (hubs_.contains(node)) return;
  const size_t before = readers->size();
  for (int32_t i = 0; i < model_.node(node).output_count(); ++i) {
    for (const ir::Use& use : model_.UsesOf(ir::Value{node, i})) readers->push_back(use.node);
  }
  if (readers->size() - before > kMaxReaders) hubs_.insert(node);
}

void WorkList::AddNear(absl::Span<const ir::NodeId> touched) {
  for (const ir::NodeId node : touched) Add(node);
  absl::flat_hash_set<ir::NodeId> seen(touched.begin(), touched.end());
  std::vector<ir::NodeId> frontier(touched.begin(), touched.end());
  size_t reached = 0;
  for (int step = 0; step < kReach; ++step) {
    std::vector<ir::NodeId> next;
    for (const ir::NodeId node : frontier) {
      std::vector<ir::NodeId> readers;
      AppendReaders(node, &readers);
      for (const ir::NodeId reader : readers) {
        if (!seen.insert(reader).second) continue;
        if (++reached > kMaxReached) return;
        Add(reader);
        next.push_back(reader);
      }
    }
    frontier = std::move(next);
  }
}

ir::NodeId WorkList::Pop() {
  const ir::NodeId node = queue_.front();
  queue_.pop_front();
  waiting_[static_cast<size_t>(ir::Index(node))] = false;
  return node;
}

}  // namespace burin::transformations

// The nodes at which the rules of a group are still to be tried, in the order in which they came in.
//
// Private to the driver. A node waits at most once. Not thread-safe.
#ifndef BURIN_TRANSFORMATIONS_WORK_LIST_H_
#define BURIN_TRANSFORMATIONS_WORK_LIST_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "ir/model.h"

namespace burin::transformations {

class WorkList {
 public:
  // `model` outlives the list.
  explicit WorkList(const ir::Model& model) : model_(model) {}

  bool empty() const { return queue_.empty(); }

  // Appends a node unless it waits already.
  void Add(ir::NodeId node);

  // Appends what a rewrite concerned, and the nodes that read it over up to kReach edges: a rule matched at one of
  // those may see the change. Looks at no more than kMaxReached of them, and at no value with more readers than
  // kMaxReaders again once it has met it, so that a rewrite costs no more in a large model than in a small one.
  void AddNear(absl::Span<const ir::NodeId> touched);

  // Takes the first node out. It may have been removed from the model meanwhile.
  ir::NodeId Pop();

 private:
  // Patterns look this far up from the node at which they match.
  static constexpr int kReach = 4;
  static constexpr size_t kMaxReached = 64;
  static constexpr size_t kMaxReaders = 32;

  void AppendReaders(ir::NodeId node, std::vector<ir::NodeId>* readers);

  const ir::Model& model_;
  std::deque<ir::NodeId> queue_;
  std::vector<bool> waiting_;  // By node id.
  absl::flat_hash_set<ir::NodeId> hubs_;
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_WORK_LIST_H_

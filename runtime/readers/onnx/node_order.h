// Puts the nodes of a graph into an order in which each comes after what it reads.
//
// ONNX asks for that order in the file, but files in another one exist; only cycles cannot be read. Nodes that are in
// order already stay in it. Linear in the size of the graph and its sub-graphs. Not thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_NODE_ORDER_H_
#define BURIN_RUNTIME_READERS_ONNX_NODE_ORDER_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/readers/onnx/message/onnx_message.h"
#include "runtime/readers/onnx/message/read_budget.h"

namespace burin::onnx {

// The names that graphs read from the graphs around them. Remembers what it has computed.
class FreeNames {
 public:
  explicit FreeNames(ReadBudget* budget) : budget_(budget) {}

  // Returns the names that `graph` or a graph inside it reads and does not define, each once, in order of first use.
  // ResourceExhausted where the lists outgrow the budget. The graph's nesting is bounded by the decoder.
  absl::StatusOr<const std::vector<absl::string_view>*> Of(const GraphMessage& graph);

 private:
  ReadBudget* const budget_;
  absl::flat_hash_map<const GraphMessage*, std::unique_ptr<std::vector<absl::string_view>>> known_;
};

// Returns the indices of the nodes in order. InvalidArgument for a name that two nodes define, and for a cycle (naming
// a node on it). Names that no node defines are taken as given.
absl::StatusOr<std::vector<size_t>> OrderNodes(const std::vector<NodeMessage>& nodes, FreeNames* free_names);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_NODE_ORDER_H_

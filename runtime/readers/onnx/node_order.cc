#include "runtime/readers/onnx/node_order.h"
#include "runtime/readers/onnx/message/tensor_message.h"
#include "runtime/readers/onnx/message/value_message.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::onnx {
namespace {

// What one name takes in a list and in the set beside it.
constexpr uint64_t kNameBytes = 64;

using NameSet = absl::flat_hash_set<absl::string_view>;

NameSet DefinedNames(const GraphMessage& graph) {
  NameSet defined;
  for (const ValueMessage& input : graph.inputs) defined.insert(input.name);
  for (const TensorMessage& tensor : graph.initializers) defined.insert(tensor.name);
  for (const SparseTensorMessage& sparse : graph.sparse_initializers) {
    if (sparse.values != nullptr) defined.insert(sparse.values->name);
  }
  for (const NodeMessage& node : graph.nodes) defined.insert(node.outputs.begin(), node.outputs.end());
  return defined;
}

// Calls `visit` for each name that the node or a sub-graph of it reads.
absl::Status VisitReads(const NodeMessage& node, FreeNames* free_names,
                        const std::function<absl::Status(absl::string_view)>& visit) {
  for (const absl::string_view name : node.inputs) {
    if (!name.empty()) BURIN_RETURN_IF_ERROR(visit(name));
  }
  for (const AttributeMessage& attribute : node.attributes) {
    if (attribute.graph == nullptr) continue;
    BURIN_ASSIGN_OR_RETURN(const std::vector<absl::string_view>* names, free_names->Of(*attribute.graph));
    for (const absl::string_view name : *names) BURIN_RETURN_IF_ERROR(visit(name));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<const std::vector<absl::string_view>*> FreeNames::Of(const GraphMessage& graph) {
  const auto found = known_.find(&graph);
  if (found != known_.end()) return found->second.get();
  auto names = std::make_unique<std::vector<absl::string_view>>();
  const NameSet defined = DefinedNames(graph);
  BURIN_RETURN_IF_ERROR(budget_->Charge(kNameBytes * defined.size()));
  NameSet seen;
  const auto add = [&](absl::string_view name) -> absl::Status {
    if (defined.contains(name) || !seen.insert(name).second) return absl::OkStatus();
    BURIN_RETURN_IF_ERROR(budget_->Charge(kNameBytes));
    names->push_back(name);
    return absl::OkStatus();
  };
  for (const NodeMessage& node : graph.nodes) BURIN_RETURN_IF_ERROR(VisitReads(node, this, add));
  for (const ValueMessage& output : graph.outputs) BURIN_RETURN_IF_ERROR(add(output.name));
  const std::vector<absl::string_view>* const result = names.get();
  known_.emplace(&graph, std::move(names));
  return result;
}

absl::StatusOr<std::vector<size_t>> OrderNodes(const std::vector<NodeMessage>& nodes, FreeNames* free_names) {
  absl::flat_hash_map<absl::string_view, size_t> producers;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const absl::string_view name : nodes[i].outputs) {
      if (name.empty()) continue;
      if (!producers.emplace(name, i).second) {
        return absl::InvalidArgumentError(absl::StrCat("Two nodes define the same name: \"", name, "\""));
      }
    }
  }
  std::vector<std::vector<size_t>> readers(nodes.size());
  std::vector<size_t> missing(nodes.size(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    BURIN_RETURN_IF_ERROR(VisitReads(nodes[i], free_names, [&](absl::string_view name) {
      const auto producer = producers.find(name);
      if (producer != producers.end()) {
        readers[producer->second].push_back(i);
        ++missing[i];
      }
      return absl::OkStatus();
    }));
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<size_t>> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<size_t> order;
  order.reserve(nodes.size());
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const size_t reader : readers[i]) {
      if (--missing[reader] == 0) ready.push(reader);
    }
  }
  if (order.size() == nodes.size()) return order;
  // What never became ready is on a cycle or behind one.
  size_t node = 0;
  while (missing[node] == 0) ++node;
  return absl::InvalidArgumentError(absl::StrCat("The graph has a cycle; a node on it or behind it: \"",
                                                 nodes[node].name, "\" (", nodes[node].op_type, ")"));
}

}  // namespace burin::onnx

// Brings a value into another layout; between equal layouts, copies it.
//
// Inserted where a consumer wants another layout than the producer gives, and where a result has to be apart from what
// it is a view of. Not made from any operation of a model. Stateless: thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_REORDER_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_REORDER_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class ReorderNode final : public Node {
 public:
  const char* type_name() const override { return "Reorder"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;
};

// Returns about how many cycles of one core it takes to bring a value of so many bytes into another layout.
double ReorderCycles(double bytes);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_REORDER_NODE_H_

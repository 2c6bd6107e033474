// A node that no graph holds: its operation runs between graphs (runtime/plugins/cpu/segments/segment_runner.h).
//
// It says what the operation is, and keeps the nodes of its bodies. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_CUT_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_CUT_NODE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class CutNode final : public Node {
 public:
  // The nodes of a body, by index of their ids.
  using BodyNodes = std::vector<std::shared_ptr<const Node>>;

  // `type_name` is that of an operation, which lives as long as the process. `bodies` are in the operation's order.
  CutNode(const char* type_name, std::vector<BodyNodes> bodies) : type_name_(type_name), bodies_(std::move(bodies)) {}

  const char* type_name() const override { return type_name_; }
  const std::vector<BodyNodes>& bodies() const { return bodies_; }

  // Internal: no graph holds it.
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  const char* const type_name_;
  const std::vector<BodyNodes> bodies_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_CUT_NODE_H_

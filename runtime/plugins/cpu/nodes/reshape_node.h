// Gives a value another shape: no work, the same bytes.
//
// For Reshape, Squeeze, Unsqueeze and what else moves nothing. Row-major values alone. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_RESHAPE_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_RESHAPE_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class ReshapeNode final : public Node {
 public:
  const char* type_name() const override { return "Reshape"; }
  int ViewOf(int output) const override {
    static_cast<void>(output);
    return 0;
  }
  // Internal: there is nothing to run.
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_RESHAPE_NODE_H_

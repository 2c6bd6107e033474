// Runs CumSum (jit/kernels/cumulative): of numbers of 32 and 64 bits.
//
// Row-major, in place where the graph allows. Where the axis is not constant there is no kernel. Immutable;
// thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_CUM_SUM_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_CUM_SUM_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/cum_sum.h"
#include "jit/kernels/cumulative/cumulative_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class CumSumNode final : public Node {
 public:
  // Makes the node of a CumSum. Unimplemented for types that there is no kernel for.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "CumSum"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  bool MayRunInPlace(const NodeValues& values, int input, int output) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  explicit CumSumNode(const ir::CumSumAttributes& attributes) : attributes_(attributes) {}

  absl::StatusOr<jit::CumulativeSpec> SpecOf(const NodeValues& values) const;

  const ir::CumSumAttributes attributes_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_CUM_SUM_NODE_H_

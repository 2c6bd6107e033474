// Runs Interpolate (jit/kernels/resize): nearest of any type of whole bytes, all other modes of f32.
//
// Row-major, and with channels last. Where scales or axes are not constant there is no kernel. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_INTERPOLATE_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_INTERPOLATE_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/interpolate.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/nodes/along_axes/resize_primitive.h"

namespace burin::cpu {

class InterpolateNode final : public Node {
 public:
  // Makes the node of an Interpolate. Unimplemented for types that there is no kernel for.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "Interpolate"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  explicit InterpolateNode(const ir::InterpolateAttributes& attributes) : attributes_(attributes) {}

  // Returns how each dimension is resampled; Unimplemented where what says so is not constant.
  absl::StatusOr<std::vector<ResampledDimension>> DimensionsOf(const NodeValues& values) const;

  const ir::InterpolateAttributes attributes_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_INTERPOLATE_NODE_H_

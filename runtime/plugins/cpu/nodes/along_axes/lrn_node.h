// Runs LRN of f32, local response normalisation: weighted sums of squares along axes (jit/kernels/resize) with the rest
// as their epilogue.
//
// Row-major, and with channels last. Where the axes are not constant there is no kernel. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_LRN_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_LRN_NODE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/lrn.h"
#include "jit/kernels/resize/resize_spec.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_epilogue.h"

namespace burin::cpu {

class LrnNode final : public Node {
 public:
  // Makes the node of an LRN. Unimplemented for other types than f32.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "LRN"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  LrnNode(const ir::LRNAttributes& attributes, std::shared_ptr<const DenseEpilogue> epilogue)
      : attributes_(attributes), epilogue_(std::move(epilogue)) {}

  // Returns the sums; Unimplemented where the axes are not constant, or there are more than the kernel has.
  absl::StatusOr<jit::ResizeSpec> SpecOf(const NodeValues& values, Layout layout) const;

  const ir::LRNAttributes attributes_;
  const std::shared_ptr<const DenseEpilogue> epilogue_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_LRN_NODE_H_

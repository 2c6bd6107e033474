// Runs MatMul of f32: constant matrices are packed once, others are read as they are (jit/kernels/gemm).
//
// Row-major values alone. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MATMUL_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MATMUL_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/matmul.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class MatMulNode final : public Node {
 public:
  explicit MatMulNode(const ir::MatMulAttributes& attributes) : attributes_(attributes) {}

  const char* type_name() const override { return "MatMul"; }
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  ir::MatMulAttributes attributes_;
};

// Returns the product that MatMul of these shapes is, all row-major: B as it lies. The output's batch is that of the
// broadcast inputs.
jit::GemmSpec MatMulSpec(const ir::MatMulAttributes& attributes, const ir::Shape& a, const ir::Shape& b);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MATMUL_NODE_H_

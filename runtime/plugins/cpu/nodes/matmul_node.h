// Runs MatMul of f32, by itself or with an epilogue: constant matrices are packed once, others are read as they are
// (jit/kernels/gemm).
//
// Row-major values alone. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MATMUL_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MATMUL_NODE_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/matmul.h"
#include "ir/shape.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/dense_node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

namespace burin::cpu {

class MatMulNode final : public DenseNode {
 public:
  // Makes the node of a MatMul of f32.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& op, DenseStep step,
                                                            const NodeContext& context);

  const char* type_name() const override { return "MatMul"; }

 private:
  MatMulNode(const ir::MatMulAttributes& attributes, DenseStep step, const NodeContext& context)
      : DenseNode(std::move(step), Layout::kRowMajor, context), attributes_(attributes) {}

  absl::StatusOr<DensePasses> MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
                                         const NodeContext& context) const override;

  const ir::MatMulAttributes attributes_;
};

// Returns the product that MatMul of these shapes is, all row-major: B as it lies. The output's batch is that of the
// broadcast inputs.
jit::GemmSpec MatMulSpec(const ir::MatMulAttributes& attributes, const ir::Shape& a, const ir::Shape& b);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MATMUL_NODE_H_

// Compiles a body to be applied to the accumulators of a dense kernel.
//
// Use it where a product, a convolution or a pooling is followed by element-wise operations: it is the EpilogueEmitter
// that the dense kernel takes. A body is a graph as FusedKernel takes it (snippets/kernel/fused_kernel.h), but without
// reductions. Immutable: thread-safe.
#ifndef BURIN_SNIPPETS_EPILOGUE_EPILOGUE_H_
#define BURIN_SNIPPETS_EPILOGUE_EPILOGUE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/hash.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "jit/asm/abi_frame.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"

namespace burin::snippets {

// Is a compiled body.
class Epilogue final : public jit::EpilogueEmitter {
 public:
  // Compiles `body`, of primitive operations (snippets/decompose). Its first parameter is the accumulators, of shape
  // [rows, columns] with both dimensions dynamic, as f32 or i32; the others broadcast to it, and each result has its
  // shape. The body is not needed afterwards.
  //
  // Its operands are, in this order: the parameters from the second on, constants of more than one element
  // (constants()), the results. Unimplemented, with the reason, for what is not of these shapes, reductions, operands
  // whose columns do not lie side by side, and what BodyGraph::Create(), Lower() or EmitterOf() refuse.
  static absl::StatusOr<std::unique_ptr<Epilogue>> Create(const ir::Model& body);

  absl::Span<const jit::EpilogueOperand> operands() const override { return operands_; }
  Hash128 content_key() const override { return key_; }
  jit::EpilogueRegisters Registers(const jit::IsaSet& isa) const override;
  void Emit(jit::VecAvx2& v, jit::AbiFrame& frame, const jit::EpilogueTile& tile) const override;
  void Emit(jit::VecAvx512& v, jit::AbiFrame& frame, const jit::EpilogueTile& tile) const override;

  // Returns the constants that are operands, dense.
  absl::Span<const ir::Tensor> constants() const { return constants_; }

  // Returns the body as expressions: the root loads what a column shares, the loop within it runs along the rows.
  const LinearIr& linear_ir() const { return ir_; }

 private:
  Epilogue(LinearIr ir, ExprEmitters emitters, std::vector<ir::Tensor> constants);

  // Lists operands_ and place_of_.
  absl::Status ListOperands(int32_t parameter_count);
  template <class V>
  void EmitTile(V& v, jit::AbiFrame& frame, const jit::EpilogueTile& tile) const;

  LinearIr ir_;
  ExprEmitters emitters_;
  Liveness liveness_;
  std::vector<std::string> texts_;
  std::vector<ir::Tensor> constants_;
  std::vector<jit::EpilogueOperand> operands_;
  // Of each operand of ir_: its place among operands_, or -1 for the accumulators.
  std::vector<int32_t> place_of_;
  Hash128 key_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_EPILOGUE_EPILOGUE_H_

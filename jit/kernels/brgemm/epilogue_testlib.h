// Offers an epilogue of fixed content to tests of dense kernels, which do not see what compiles epilogues.
//
// Use it in their tests alone. Immutable: thread-safe.
#ifndef BURIN_JIT_KERNELS_BRGEMM_EPILOGUE_TESTLIB_H_
#define BURIN_JIT_KERNELS_BRGEMM_EPILOGUE_TESTLIB_H_

#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/asm/abi_frame.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Stores max(accumulator + bias, 0) * scale + residual, of f32: `bias` by column, `scale` by row, `residual` by both.
class TestEpilogue final : public EpilogueEmitter {
 public:
  // Names the operands, in their order.
  enum Operands { kBias, kScale, kResidual, kOutput, kOperandCount };

  // Claims to want so many registers.
  explicit TestEpilogue(int wanted_vectors = 2, int wanted_general = 3)
      : wanted_vectors_(wanted_vectors), wanted_general_(wanted_general) {}

  absl::Span<const EpilogueOperand> operands() const override { return operands_; }
  Hash128 content_key() const override;
  EpilogueRegisters Registers(const IsaSet& isa) const override;
  void Emit(VecAvx2& v, AbiFrame& frame, const EpilogueTile& tile) const override;
  void Emit(VecAvx512& v, AbiFrame& frame, const EpilogueTile& tile) const override;

  // Returns what is to be stored for this sum.
  static double Reference(double sum, float bias, float scale, float residual) {
    return (sum + bias > 0 ? sum + bias : 0) * scale + residual;
  }

 private:
  std::vector<EpilogueOperand> operands_ = {{false, ElementType::kF32, false, true},
                                            {false, ElementType::kF32, true, false},
                                            {false, ElementType::kF32, true, true},
                                            {true, ElementType::kF32, true, true}};
  int wanted_vectors_;
  int wanted_general_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_EPILOGUE_TESTLIB_H_

// Is an epilogue for tests of dense kernels: y = x * scale[column] + shift[row] + addend[row, column].
//
// Use it to see that a kernel hands over each element once, with the right row and column, and keeps its registers.
// Its operands are, in this order: scale, shift, addend and y, all f32. Immutable, thread-safe.
#ifndef BURIN_JIT_KERNELS_POOLING_AFFINE_EPILOGUE_TESTLIB_H_
#define BURIN_JIT_KERNELS_POOLING_AFFINE_EPILOGUE_TESTLIB_H_

#include "absl/types/span.h"
#include "base/hash.h"
#include "jit/asm/abi_frame.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

class AffineEpilogue final : public EpilogueEmitter {
 public:
  absl::Span<const EpilogueOperand> operands() const override;
  Hash128 content_key() const override;
  EpilogueRegisters Registers(const IsaSet& isa) const override;
  void Emit(VecAvx2& v, AbiFrame& frame, const EpilogueTile& tile) const override;
  void Emit(VecAvx512& v, AbiFrame& frame, const EpilogueTile& tile) const override;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_AFFINE_EPILOGUE_TESTLIB_H_

// Emits the reduction of the taps of a piece to one result for each window and channel, where no position is asked for.
//
// Use it in the generation of poolings (jit/kernels/pooling/pooling_code.h). Of single windows, all taps are added in
// their order. Of strips, columns are reduced first, each in a register, then those of each window are joined. What a
// tap adds is PoolingTaps's business (jit/kernels/pooling/pooling_taps.h). The templates exist for VecAvx2 and
// VecAvx512. Emits to the emission's assembler; used by one thread.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_REDUCTION_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_REDUCTION_H_

#include "absl/types/span.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/pooling/pooling_emission.h"
#include "jit/kernels/pooling/pooling_piece.h"

namespace burin::jit {

// Emits the reduction of `piece` to `results`, which lie as PoolingPiece::At() says. Where it has a quick form, that is
// it, which jumps to `nan_seen` where it met a NaN: then the results are to be reduced again, carefully.
template <class V>
void EmitPoolingReduction(PoolingEmission<V>& emission, const PoolingPiece<V>& piece, absl::Span<const VecReg> results,
                          const Label& nan_seen);

// Emits the careful form, which is right whatever the taps are.
template <class V>
void EmitCarefulPoolingReduction(PoolingEmission<V>& emission, const PoolingPiece<V>& piece,
                                 absl::Span<const VecReg> results);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_REDUCTION_H_

// Emits the reduction of the taps of a window to their first maximum, and to its position.
//
// Use it in the generation of poolings with indices (jit/kernels/pooling/pooling_code.h), in place of
// jit/kernels/pooling/pooling_reduction.h. A position is what PoolingIndices (jit/kernels/pooling/pooling_spec.h) says;
// it is counted in 32 bits, beside the taps, and widened where it is stored. The template exists for VecAvx2 and
// VecAvx512. Emits to the emission's assembler; used by one thread.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_POSITIONS_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_POSITIONS_H_

#include "absl/types/span.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/pooling/pooling_emission.h"
#include "jit/kernels/pooling/pooling_piece.h"

namespace burin::jit {

// Emits the reduction of `piece`, a single window, to `results`, one for each vector, and stores the positions where
// the emission's `indices` are. Windows without taps have minus infinity and position 0.
template <class V>
void EmitPoolingPositions(PoolingEmission<V>& emission, const PoolingPiece<V>& piece, absl::Span<const VecReg> results);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_POSITIONS_H_

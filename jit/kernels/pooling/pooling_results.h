// Emits what becomes of a piece that is reduced: its results are finished, then stored or handed to an epilogue.
//
// Use it in the generation of poolings (jit/kernels/pooling/pooling_code.h). The template exists for VecAvx2 and
// VecAvx512. Emits to the emission's assembler; used by one thread.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_RESULTS_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_RESULTS_H_

#include "absl/types/span.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/pooling_emission.h"
#include "jit/kernels/pooling/pooling_piece.h"

namespace burin::jit {

// Emits it for `results`, which lie as PoolingPiece::At() says and change. Averages are multiplied by their scales. An
// epilogue, which may be null, takes the windows as rows and the channels as columns; with it nothing else is stored.
template <class V>
void EmitPoolingResults(PoolingEmission<V>& emission, const EpilogueEmitter* epilogue, const PoolingPiece<V>& piece,
                        absl::Span<const VecReg> results);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_RESULTS_H_

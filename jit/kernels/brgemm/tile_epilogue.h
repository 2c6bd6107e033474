// Emits an epilogue on a tile of accumulators, also where these leave it too few registers.
//
// Use it at the end of kernels that keep a tile in registers and read BrgemmArgs. Where the epilogue has the registers
// that it wants, it is emitted on all rows as they are. Else the accumulators go to the stack, and some rows at a time
// come back: a store and a load for each, which long sums do not notice, while a smaller tile would cost them all
// along. Emits to the frame's assembler; used by one thread. The templates exist for VecAvx2 and VecAvx512.
#ifndef BURIN_JIT_KERNELS_BRGEMM_TILE_EPILOGUE_H_
#define BURIN_JIT_KERNELS_BRGEMM_TILE_EPILOGUE_H_

#include <vector>

#include "jit/asm/abi_frame.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Describes the tile.
struct TileShape {
  int rows = 1;
  int vectors = 1;
  // Whether the last vector has BrgemmArgs::last_columns columns.
  bool partial = false;
};

// Emits `epilogue` on the accumulators, row by row in their order; they are given back where they go to the stack. Ends
// the use of the arguments.
template <class V>
void EmitTileEpilogue(const EpilogueEmitter& epilogue, const TileShape& shape, std::vector<VecReg>& accumulators, V& v,
                      AbiFrame& frame);

// Returns the rows that come back at a time for an epilogue that wants `wanted` of `registers` vector registers: as
// many as go beside them, evenly.
int EpilogueRowsAtOnce(const TileShape& shape, int registers, int wanted);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_TILE_EPILOGUE_H_

#include "jit/kernels/brgemm/tile_epilogue.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/kernels/brgemm/brgemm_args.h"

namespace burin::jit {
namespace {

// Is what an epilogue is told of a tile, in registers.
struct TilePlace {
  TilePlace(AbiFrame& frame, RegPool& regs, bool partial)
      : places(regs.Gpr("places")), row(regs.Gpr("row")), column(regs.Gpr("column")) {
    frame.Load(places, BURIN_ARG_FIELD(BrgemmArgs, places));
    frame.Load(row, BURIN_ARG_FIELD(BrgemmArgs, row));
    frame.Load(column, BURIN_ARG_FIELD(BrgemmArgs, column));
    if (partial) {
      last_columns.emplace(regs.Gpr("last_columns"));
      frame.Load(*last_columns, BURIN_ARG_FIELD(BrgemmArgs, last_columns));
    }
    frame.ReleaseArgs();
  }

  GprReg places;
  GprReg row;
  GprReg column;
  std::optional<GprReg> last_columns;
};

// Emits the epilogue on accumulators of so many rows.
template <class V>
void EmitRows(const EpilogueEmitter& epilogue, const TilePlace& place, int rows, int vectors,
              const std::vector<VecReg>& accumulators, V& v, AbiFrame& frame) {
  const auto accumulator = [&](int row, int vector) -> Xmm {
    return accumulators[static_cast<size_t>(row * vectors + vector)];
  };
  EpilogueTile tile = {rows, vectors, accumulator, place.places, place.row, place.column, {}};
  if (place.last_columns.has_value()) tile.last_columns.emplace(*place.last_columns);
  epilogue.Emit(v, frame, tile);
}

// Emits it on `rows` rows that come from the stack, `done` bytes from the start of `tile`.
template <class V>
void EmitStackedRows(const EpilogueEmitter& epilogue, const TilePlace& place, int rows, int vectors,
                     const StackSlot& tile, const StackSlot& done, V& v, AbiFrame& frame) {
  std::vector<VecReg> accumulators;
  {
    const GprReg at = v.code().regs().Gpr("at");
    v.code().mov(at, done.At());
    for (int i = 0; i < rows * vectors; ++i) {
      accumulators.push_back(v.New("accumulator"));
      v.Load(accumulators.back(), ptr[tile.At(i * V::kBits / 8).getRegExp() + at]);
    }
  }
  EmitRows(epilogue, place, rows, vectors, accumulators, v, frame);
}

}  // namespace

int EpilogueRowsAtOnce(const TileShape& shape, int registers, int wanted) {
  const int most = std::clamp((registers - wanted) / shape.vectors, 1, shape.rows);
  const int pieces = (shape.rows + most - 1) / most;
  return (shape.rows + pieces - 1) / pieces;
}

template <class V>
void EmitTileEpilogue(const EpilogueEmitter& epilogue, const TileShape& shape, std::vector<VecReg>& accumulators, V& v,
                      AbiFrame& frame) {
  Assembler& code = v.code();
  const int wanted = epilogue.Registers(code.isa()).vectors;
  if (code.regs().available(RegClass::kVec) >= wanted) {
    const TilePlace place(frame, code.regs(), shape.partial);
    EmitRows(epilogue, place, shape.rows, shape.vectors, accumulators, v, frame);
    return;
  }
  constexpr int kVectorBytes = V::kBits / 8;
  const StackSlot tile = frame.Slot(shape.rows * shape.vectors * kVectorBytes, "tile");
  const StackSlot done = frame.Slot(8, "done");
  for (size_t i = 0; i < accumulators.size(); ++i) {
    v.Store(tile.At(static_cast<int>(i) * kVectorBytes), accumulators[i]);
  }
  accumulators.clear();
  const TilePlace place(frame, code.regs(), shape.partial);
  const int rows = EpilogueRowsAtOnce(shape, code.regs().available(RegClass::kVec), wanted);
  const int rest = shape.rows % rows;
  code.mov(qword[done.At().getRegExp()], 0);
  Label next;
  code.Bind(next);
  EmitStackedRows(epilogue, place, rows, shape.vectors, tile, done, v, frame);
  if (rows == shape.rows) return;
  const int bytes = rows * shape.vectors * kVectorBytes;
  code.add(place.row, rows);
  code.add(qword[done.At().getRegExp()], bytes);
  code.cmp(qword[done.At().getRegExp()], shape.rows / rows * bytes);
  code.jb(next);
  if (rest > 0) EmitStackedRows(epilogue, place, rest, shape.vectors, tile, done, v, frame);
}

template void EmitTileEpilogue<VecAvx2>(const EpilogueEmitter& epilogue, const TileShape& shape,
                                        std::vector<VecReg>& accumulators, VecAvx2& v, AbiFrame& frame);
template void EmitTileEpilogue<VecAvx512>(const EpilogueEmitter& epilogue, const TileShape& shape,
                                          std::vector<VecReg>& accumulators, VecAvx512& v, AbiFrame& frame);

}  // namespace burin::jit

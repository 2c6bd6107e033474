#include "jit/kernels/pooling/pooling_results.h"

#include <optional>

#include "jit/asm/arg_field.h"
#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/kernels/pooling/pooling_args.h"
#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {
namespace {

template <class V>
void Finish(PoolingEmission<V>& e, const PoolingPiece<V>& piece, absl::Span<const VecReg> results) {
  const GprReg scales = e.code.regs().Gpr("scales");
  const VecReg scale = e.v.New("scale");
  const bool is_scaled = e.spec.kind == PoolingKind::kAverage;
  if (is_scaled) e.code.mov(scales, e.window_scales.At());
  for (int w = 0; w < piece.windows; ++w) {
    if (is_scaled) e.v.Broadcast(scale, ptr[scales + w * e.kElementBytes]);
    for (int i = 0; i < piece.vectors; ++i) e.taps.Finish(results[piece.At(w, i)], scale);
  }
}

template <class V>
void EmitEpilogue(PoolingEmission<V>& e, const EpilogueEmitter& epilogue, const PoolingPiece<V>& piece,
                  absl::Span<const VecReg> results) {
  const GprReg places = e.code.regs().Gpr("places");
  const GprReg row = e.code.regs().Gpr("row");
  e.frame.Load(places, BURIN_ARG_FIELD(PoolingArgs, places));
  e.code.mov(row, e.row.At());
  const auto accumulator = [&](int w, int i) -> Xmm { return results[piece.At(w, i)]; };
  EpilogueTile tile = {piece.windows, piece.vectors, accumulator, places, row, e.column, {}};
  std::optional<GprReg> last;
  if (piece.mask != nullptr) {
    last.emplace(e.code.regs().Gpr("last"));
    e.code.mov(*last, e.spec.tail_channels);
    tile.last_columns.emplace(*last);
  }
  epilogue.Emit(e.v, e.frame, tile);
}

}  // namespace

template <class V>
void EmitPoolingResults(PoolingEmission<V>& emission, const EpilogueEmitter* epilogue, const PoolingPiece<V>& piece,
                        absl::Span<const VecReg> results) {
  Finish(emission, piece, results);
  if (epilogue != nullptr) return EmitEpilogue(emission, *epilogue, piece, results);
  for (int w = 0; w < piece.windows; ++w) {
    for (int i = 0; i < piece.vectors; ++i) {
      const Address to = ptr[emission.output + (w * emission.spec.strip_output_step + i * emission.kVectorBytes)];
      piece.Store(emission.v, to, results[piece.At(w, i)]);
    }
  }
}

template void EmitPoolingResults<VecAvx2>(PoolingEmission<VecAvx2>& emission, const EpilogueEmitter* epilogue,
                                          const PoolingPiece<VecAvx2>& piece, absl::Span<const VecReg> results);
template void EmitPoolingResults<VecAvx512>(PoolingEmission<VecAvx512>& emission, const EpilogueEmitter* epilogue,
                                            const PoolingPiece<VecAvx512>& piece, absl::Span<const VecReg> results);

}  // namespace burin::jit

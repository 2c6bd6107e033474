#include "jit/kernels/pooling/pooling_positions.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jit/asm/arg_field.h"
#include "jit/asm/operands.h"
#include "jit/emitters/convert/typed_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/kernels/pooling/pooling_args.h"
#include "jit/kernels/pooling/pooling_tap_loops.h"

namespace burin::jit {
namespace {

// Takes the tap, and its position, where it is larger than the result: by number, or a NaN where there is none yet.
template <class V>
void EmitCandidate(V& v, const PoolingPiece<V>& piece, const Address& from, const Xmm& result, const Xmm& position,
                   const Xmm& at) {
  const VecReg tap = v.New("tap");
  piece.Load(v, tap, from);
  const auto taken = v.NewMask("taken", 1);
  {
    const auto first_nan = v.NewMask("first_nan", 1);
    const auto number = v.NewMask("number", 1);
    v.Compare(taken, tap, result, VecCompare::kGreater);
    v.Compare(first_nan, tap, tap, VecCompare::kUnordered);
    v.Compare(number, result, result, VecCompare::kEqual);
    v.AndMasks(first_nan, first_nan, number);
    v.OrMasks(taken, taken, first_nan);
  }
  v.SelectOne(result, taken[0], tap, result);
  v.SelectOne(position, taken[0], at, position);
}

// Reduces; returns the registers of the positions, without what the channels add.
template <class V>
std::vector<VecReg> EmitReduction(PoolingEmission<V>& e, const PoolingPiece<V>& piece,
                                  absl::Span<const VecReg> results) {
  V& v = e.v;
  std::vector<VecReg> positions;
  const VecReg at_plane = v.New("at_plane");
  const VecReg at_row = v.New("at_row");
  const VecReg at_tap = v.New("at_tap");
  const VecReg step = v.New("step");
  const auto advance = [&](const Xmm& position, const ArgField<int32_t>& field) {
    v.Broadcast(step, e.frame.Arg(field));
    v.AddI32(position, position, step);
  };
  v.Broadcast(at_plane, e.position.At());
  for (const VecReg& result : results) {
    e.taps.Start(result);
    positions.push_back(v.New("position"));
    v.Copy(VecGroup(positions.back()), VecGroup(at_plane));
  }
  EmitTapLoops(
      e.code, e.frame, e.input,
      [&](const Reg64& tap) {
        for (int i = 0; i < piece.vectors; ++i) {
          EmitCandidate(v, piece, ptr[tap + i * e.kVectorBytes], results[static_cast<size_t>(i)],
                        positions[static_cast<size_t>(i)], at_tap);
        }
      },
      [&](int axis) {
        if (axis == 2) return advance(at_tap, BURIN_ARG_FIELD(PoolingArgs, position_step2));
        const bool plane = axis == 0;
        v.Copy(VecGroup(plane ? at_row : at_tap), VecGroup(plane ? at_plane : at_row));
        plane ? advance(at_plane, BURIN_ARG_FIELD(PoolingArgs, position_step0))
              : advance(at_row, BURIN_ARG_FIELD(PoolingArgs, position_step1));
      });
  return positions;
}

// Adds what the channels add, but in windows without taps, which have position 0, and stores.
template <class V>
void EmitStorePositions(PoolingEmission<V>& e, const PoolingPiece<V>& piece, absl::Span<const VecReg> positions) {
  V& v = e.v;
  Label empty;
  Label store;
  const GprReg base = e.code.regs().Gpr("base");
  {
    const GprReg step = e.code.regs().Gpr("step");
    e.frame.Load(step, BURIN_ARG_FIELD(PoolingArgs, taps0));
    e.code.test(step, step);
    e.code.jz(empty);
    e.frame.Load(base, BURIN_ARG_FIELD(PoolingArgs, position_base));
    e.frame.Load(step, BURIN_ARG_FIELD(PoolingArgs, position_channel_step));
    e.code.imul(step, e.column);
    e.code.add(base, step);
  }
  {
    std::vector<int32_t> lanes(V::kLanes);
    for (int i = 0; i < V::kLanes; ++i) lanes[static_cast<size_t>(i)] = i;
    const VecReg channels = v.New("channels");
    const VecReg step = v.New("step");
    v.Broadcast(step, e.frame.Arg(BURIN_ARG_FIELD(PoolingArgs, position_channel_step)));
    v.MulI32(channels, step, e.code.Table(absl::Span<const int32_t>(lanes)));
    for (int i = 0; i < piece.vectors; ++i) {
      const VecReg first = v.New("first");
      v.BroadcastGpr(first, base.cvt32());
      v.AddI32(positions[static_cast<size_t>(i)], positions[static_cast<size_t>(i)], first);
      v.AddI32(positions[static_cast<size_t>(i)], positions[static_cast<size_t>(i)], channels);
      if (i + 1 == piece.vectors) break;
      const GprReg vector_step = e.code.regs().Gpr("vector_step");
      e.frame.Load(vector_step, BURIN_ARG_FIELD(PoolingArgs, position_channel_step));
      e.code.imul(vector_step, vector_step, V::kLanes);
      e.code.add(base, vector_step);
    }
  }
  e.code.jmp(store);
  e.code.Bind(empty);
  for (const VecReg& position : positions) v.Zero(VecGroup(position));
  e.code.Bind(store);
  const VecPart<V> part = piece.mask != nullptr ? VecPart<V>::First(e.v, e.spec.tail_channels) : VecPart<V>();
  const int bytes = V::kLanes * e.spec.index_bytes();
  for (int i = 0; i < piece.vectors; ++i) {
    EmitStoreI32As(e.v, e.spec.index_type, ptr[*e.indices + i * bytes], VecGroup(positions[static_cast<size_t>(i)]),
                   StoreOptions::Convert(), part);
  }
}

}  // namespace

template <class V>
void EmitPoolingPositions(PoolingEmission<V>& emission, const PoolingPiece<V>& piece,
                          absl::Span<const VecReg> results) {
  const std::vector<VecReg> positions = EmitReduction(emission, piece, results);
  EmitStorePositions(emission, piece, absl::MakeConstSpan(positions));
}

template void EmitPoolingPositions<VecAvx2>(PoolingEmission<VecAvx2>& emission, const PoolingPiece<VecAvx2>& piece,
                                            absl::Span<const VecReg> results);
template void EmitPoolingPositions<VecAvx512>(PoolingEmission<VecAvx512>& emission,
                                              const PoolingPiece<VecAvx512>& piece, absl::Span<const VecReg> results);

}  // namespace burin::jit

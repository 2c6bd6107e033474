#include "jit/kernels/pooling/pooling_code.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/pooling/pooling_args.h"
#include "jit/kernels/pooling/pooling_emission.h"
#include "jit/kernels/pooling/pooling_piece.h"
#include "jit/kernels/pooling/pooling_positions.h"
#include "jit/kernels/pooling/pooling_reduction.h"
#include "jit/kernels/pooling/pooling_results.h"

namespace burin::jit {
namespace {

// Emits the walk over windows and channels, piece by piece.
template <class V>
class PoolingGenerator {
 public:
  PoolingGenerator(const PoolingCodeSpec& spec, const Target& target, const EpilogueEmitter* epilogue, Assembler& code)
      : spec_(spec), epilogue_(epilogue), code_(code), e_(spec, target, code) {}

  void Emit() {
    Keep(BURIN_ARG_FIELD(PoolingArgs, input), e_.window_input);
    Keep(BURIN_ARG_FIELD(PoolingArgs, output), e_.window_output);
    Keep(BURIN_ARG_FIELD(PoolingArgs, indices), e_.window_indices);
    Keep(BURIN_ARG_FIELD(PoolingArgs, scales), e_.window_scales);
    Keep(BURIN_ARG_FIELD(PoolingArgs, row), e_.row);
    if (spec_.strip_windows > 0) {
      Label singles;
      JumpIfZero(BURIN_ARG_FIELD(PoolingArgs, is_strips), singles);
      EmitStrips();
      code_.jmp(e_.frame.exit());
      code_.Bind(singles);
    }
    EmitSingles();
    e_.frame.Finish();
  }

 private:
  using Piece = PoolingPiece<V>;

  // Copies a field to the stack, where it changes.
  template <class T>
  void Keep(const ArgField<T>& field, const StackSlot& slot) {
    e_.frame.Load(e_.input, field);
    code_.mov(slot.At(), e_.input);
  }

  void JumpIfZero(const ArgField<int64_t>& field, const Label& label) {
    code_.cmp(qword[e_.frame.Arg(field).getRegExp()], 0);
    code_.je(label);
  }

  void EmitStrips() {
    Piece piece;
    piece.is_strip = true;
    if (spec_.first_begin > 0 && !spec_.is_one_strip) {
      code_.Mark("first strip");
      Label others;
      JumpIfZero(BURIN_ARG_FIELD(PoolingArgs, has_first), others);
      piece.windows = spec_.strip_windows;
      piece.begin = spec_.first_begin;
      EmitWindows(piece);
      code_.Bind(others);
    }
    if (!spec_.is_one_strip) {
      code_.Mark("strips");
      Label next;
      Label last;
      Keep(BURIN_ARG_FIELD(PoolingArgs, strips), e_.windows);
      code_.Bind(next);
      code_.sub(qword[e_.windows.At().getRegExp()], 1);
      code_.jl(last);
      piece.windows = spec_.strip_windows;
      piece.begin = 0;
      EmitWindows(piece);
      code_.jmp(next);
      code_.Bind(last);
    }
    if (spec_.last_windows > 0) {
      code_.Mark("last strip");
      JumpIfZero(BURIN_ARG_FIELD(PoolingArgs, has_last), e_.frame.exit());
      piece.windows = spec_.last_windows;
      piece.begin = spec_.is_one_strip ? spec_.first_begin : 0;
      piece.end = spec_.last_end;
      EmitWindows(piece);
    }
  }

  void EmitSingles() {
    code_.Mark("singles");
    Keep(BURIN_ARG_FIELD(PoolingArgs, windows), e_.windows);
    Keep(BURIN_ARG_FIELD(PoolingArgs, position), e_.position);
    Label next;
    code_.Bind(next);
    EmitWindows(Piece());
    code_.sub(qword[e_.windows.At().getRegExp()], 1);
    code_.jg(next);
  }

  // Takes all channels of the windows of a piece, and goes on to the windows that follow.
  void EmitWindows(const Piece& piece) {
    code_.mov(e_.input, e_.window_input.At());
    code_.mov(e_.output, e_.window_output.At());
    if (spec_.has_indices()) code_.mov(*e_.indices, e_.window_indices.At());
    e_.frame.Load(e_.column, BURIN_ARG_FIELD(PoolingArgs, column));
    e_.frame.Load(e_.vectors, BURIN_ARG_FIELD(PoolingArgs, vectors));
    EmitChannels(piece);
    Advance(e_.window_input, BURIN_ARG_FIELD(PoolingArgs, window_step), piece.windows);
    Advance(e_.window_output, BURIN_ARG_FIELD(PoolingArgs, output_step), piece.windows);
    code_.add(qword[e_.window_scales.At().getRegExp()], piece.windows * e_.kElementBytes);
    code_.add(qword[e_.row.At().getRegExp()], piece.windows);
    if (!spec_.has_indices()) return;
    Advance(e_.window_indices, BURIN_ARG_FIELD(PoolingArgs, index_step), piece.windows);
    e_.frame.Load(e_.input, BURIN_ARG_FIELD(PoolingArgs, position_window_step));
    code_.add(e_.position.At(), e_.input);
  }

  void Advance(const StackSlot& slot, const ArgField<int64_t>& step, int windows) {
    code_.imul(e_.input, e_.frame.Arg(step), windows);
    code_.add(slot.At(), e_.input);
  }

  // Takes all channels of some windows.
  void EmitChannels(Piece piece) {
    const int most = piece.is_strip ? spec_.strip_vectors : spec_.single_vectors;
    for (piece.vectors = most; piece.vectors > 0; piece.vectors /= 2) {
      Label start;
      Label smaller;
      std::vector<VecReg> results = NewResults(piece);
      CarefulForm careful;
      EmitCarefulForm(piece, results, careful, start);
      code_.Align(32);
      code_.Bind(start);
      code_.cmp(e_.vectors, piece.vectors);
      code_.jl(smaller);
      EmitPiece(piece, results, careful);
      code_.add(e_.input, piece.vectors * e_.kVectorBytes);
      code_.add(e_.output, piece.vectors * e_.kVectorBytes);
      if (spec_.has_indices()) code_.add(*e_.indices, piece.vectors * V::kLanes * spec_.index_bytes());
      code_.add(e_.column, piece.vectors * V::kLanes);
      code_.sub(e_.vectors, piece.vectors);
      if (piece.vectors == most) code_.jmp(start);
      code_.Bind(smaller);
    }
    if (spec_.tail_channels == 0) return;
    Label start;
    Label done;
    JumpIfZero(BURIN_ARG_FIELD(PoolingArgs, tail), done);
    piece.vectors = 1;
    piece.mask = &*e_.tail_mask;
    std::vector<VecReg> results = NewResults(piece);
    CarefulForm careful;
    EmitCarefulForm(piece, results, careful, start);
    code_.Bind(start);
    EmitPiece(piece, results, careful);
    code_.Bind(done);
  }

  // Is where the careful form of a reduction begins and where it goes on behind.
  struct CarefulForm {
    Label start;
    Label joined;
  };

  // Emits the careful form, which is needed where the quick one has met a NaN, out of the way; goes on at `next`.
  void EmitCarefulForm(const Piece& piece, absl::Span<const VecReg> results, CarefulForm& careful, const Label& next) {
    if (!e_.taps.has_quick_form() || spec_.has_indices()) return;
    code_.jmp(next);
    code_.Bind(careful.start);
    EmitCarefulPoolingReduction(e_, piece, results);
    code_.jmp(careful.joined);
  }

  // Returns the registers of the results.
  std::vector<VecReg> NewResults(const Piece& piece) {
    std::vector<VecReg> results;
    for (size_t i = 0; i < piece.Results(); ++i) results.push_back(e_.v.New(absl::StrCat("result", i)));
    return results;
  }

  // Reduces, finishes and stores a piece.
  void EmitPiece(const Piece& piece, absl::Span<const VecReg> results, CarefulForm& careful) {
    if (spec_.has_indices()) {
      EmitPoolingPositions(e_, piece, results);
    } else {
      EmitPoolingReduction(e_, piece, results, careful.start);
    }
    code_.Bind(careful.joined);
    EmitPoolingResults(e_, epilogue_, piece, results);
  }

  const PoolingCodeSpec& spec_;
  const EpilogueEmitter* const epilogue_;
  Assembler& code_;
  PoolingEmission<V> e_;
};

template <class V>
absl::StatusOr<CodeBlob> Generate(const PoolingCodeSpec& spec, const Target& target, const EpilogueEmitter* epilogue) {
  Assembler code(spec.Name(), target.isa());
  {
    PoolingGenerator<V> generator(spec, target, epilogue, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace

absl::StatusOr<CodeBlob> GeneratePooling(const PoolingCodeSpec& spec, const Target& target,
                                         const EpilogueEmitter* epilogue) {
  return target.Supports(IsaLevel::kAvx512) ? Generate<VecAvx512>(spec, target, epilogue)
                                            : Generate<VecAvx2>(spec, target, epilogue);
}

}  // namespace burin::jit

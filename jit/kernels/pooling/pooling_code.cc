#include "jit/kernels/pooling/pooling_code.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/convert/typed_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/kernels/pooling/pooling_args.h"
#include "jit/kernels/pooling/pooling_taps.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;

// Describes a piece of work: some windows, for some vectors of channels, the last of which may be incomplete.
struct Piece {
  int windows = 1;
  int vectors = 1;
  bool masked = false;
  // Of a strip: bytes from its first tap to where the input begins, and to where it ends.
  bool is_strip = false;
  int64_t begin = 0;
  int64_t end = INT64_MAX;
};

// Returns the coordinates at which windows of a strip have taps, in bytes of the input from the first tap on.
std::set<int64_t> ColumnsOf(const PoolingCodeSpec& spec, int windows) {
  std::set<int64_t> columns;
  for (int w = 0; w < windows; ++w) {
    for (int t = 0; t < spec.strip_taps; ++t) {
      columns.insert(int64_t{w} * spec.strip_window_step + int64_t{t} * spec.strip_tap_step);
    }
  }
  return columns;
}

template <class V>
class PoolingGenerator {
 public:
  PoolingGenerator(const PoolingCodeSpec& spec, const Target& target, const EpilogueEmitter* epilogue, Assembler& code)
      : spec_(spec),
        epilogue_(epilogue),
        code_(code),
        frame_(code),
        v_(code, target),
        taps_(v_, spec.kind, spec.p),
        input_(code.regs().Gpr("input")),
        output_(code.regs().Gpr("output")),
        column_(code.regs().Gpr("column")),
        vectors_(code.regs().Gpr("vectors")),
        window_input_(frame_.Slot(8, "window_input")),
        window_output_(frame_.Slot(8, "window_output")),
        window_indices_(frame_.Slot(8, "window_indices")),
        window_scales_(frame_.Slot(8, "window_scales")),
        windows_(frame_.Slot(8, "windows")),
        row_(frame_.Slot(8, "row")),
        position_(frame_.Slot(8, "position")) {
    if (has_indices()) indices_.emplace(code.regs().Gpr("indices"));
    if (spec.tail_channels > 0) {
      tail_mask_.emplace(v_.NewMask("tail"));
      v_.SetMaskFor(*tail_mask_, spec.tail_channels);
    }
  }

  void Emit() {
    Keep(BURIN_ARG_FIELD(PoolingArgs, input), window_input_);
    Keep(BURIN_ARG_FIELD(PoolingArgs, output), window_output_);
    Keep(BURIN_ARG_FIELD(PoolingArgs, indices), window_indices_);
    Keep(BURIN_ARG_FIELD(PoolingArgs, scales), window_scales_);
    Keep(BURIN_ARG_FIELD(PoolingArgs, row), row_);
    if (spec_.strip_windows > 0) {
      Label singles;
      JumpIfZero(BURIN_ARG_FIELD(PoolingArgs, is_strips), singles);
      EmitStrips();
      code_.jmp(frame_.exit());
      code_.Bind(singles);
    }
    EmitSingles();
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  bool has_indices() const { return spec_.index_type != ElementType::kUndefined; }
  int index_bytes() const { return BitWidth(spec_.index_type) / 8; }

  // Copies a field to the stack, where it changes.
  template <class T>
  void Keep(const ArgField<T>& field, const StackSlot& slot) {
    frame_.Load(input_, field);
    code_.mov(slot.At(), input_);
  }

  void JumpIfZero(const ArgField<int64_t>& field, const Label& label) {
    code_.cmp(qword[frame_.Arg(field).getRegExp()], 0);
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
      Keep(BURIN_ARG_FIELD(PoolingArgs, strips), windows_);
      code_.Bind(next);
      code_.sub(qword[windows_.At().getRegExp()], 1);
      code_.jl(last);
      piece.windows = spec_.strip_windows;
      piece.begin = 0;
      EmitWindows(piece);
      code_.jmp(next);
      code_.Bind(last);
    }
    if (spec_.last_windows > 0) {
      code_.Mark("last strip");
      JumpIfZero(BURIN_ARG_FIELD(PoolingArgs, has_last), frame_.exit());
      piece.windows = spec_.last_windows;
      piece.begin = spec_.is_one_strip ? spec_.first_begin : 0;
      piece.end = spec_.last_end;
      EmitWindows(piece);
    }
  }

  void EmitSingles() {
    code_.Mark("singles");
    Keep(BURIN_ARG_FIELD(PoolingArgs, windows), windows_);
    Keep(BURIN_ARG_FIELD(PoolingArgs, position), position_);
    Label next;
    code_.Bind(next);
    EmitWindows(Piece());
    code_.sub(qword[windows_.At().getRegExp()], 1);
    code_.jg(next);
  }

  // Takes all channels of the windows of a piece, and goes on to the windows that follow.
  void EmitWindows(const Piece& piece) {
    code_.mov(input_, window_input_.At());
    code_.mov(output_, window_output_.At());
    if (has_indices()) code_.mov(*indices_, window_indices_.At());
    frame_.Load(column_, BURIN_ARG_FIELD(PoolingArgs, column));
    frame_.Load(vectors_, BURIN_ARG_FIELD(PoolingArgs, vectors));
    EmitChannels(piece);
    Advance(window_input_, BURIN_ARG_FIELD(PoolingArgs, window_step), piece.windows);
    Advance(window_output_, BURIN_ARG_FIELD(PoolingArgs, output_step), piece.windows);
    code_.add(qword[window_scales_.At().getRegExp()], piece.windows * kElementBytes);
    code_.add(qword[row_.At().getRegExp()], piece.windows);
    if (!has_indices()) return;
    Advance(window_indices_, BURIN_ARG_FIELD(PoolingArgs, index_step), piece.windows);
    frame_.Load(input_, BURIN_ARG_FIELD(PoolingArgs, position_window_step));
    code_.add(position_.At(), input_);
  }

  void Advance(const StackSlot& slot, const ArgField<int64_t>& step, int windows) {
    code_.imul(input_, frame_.Arg(step), windows);
    code_.add(slot.At(), input_);
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
      code_.cmp(vectors_, piece.vectors);
      code_.jl(smaller);
      EmitPiece(piece, results, careful);
      code_.add(input_, piece.vectors * kVectorBytes);
      code_.add(output_, piece.vectors * kVectorBytes);
      if (has_indices()) code_.add(*indices_, piece.vectors * V::kLanes * index_bytes());
      code_.add(column_, piece.vectors * V::kLanes);
      code_.sub(vectors_, piece.vectors);
      if (piece.vectors == most) code_.jmp(start);
      code_.Bind(smaller);
    }
    if (spec_.tail_channels == 0) return;
    Label start;
    Label done;
    JumpIfZero(BURIN_ARG_FIELD(PoolingArgs, tail), done);
    piece.vectors = 1;
    piece.masked = true;
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
    if (!taps_.has_quick_form() || has_indices()) return;
    code_.jmp(next);
    code_.Bind(careful.start);
    EmitReduction(piece, results, true);
    code_.jmp(careful.joined);
  }

  // Returns the registers of the results: of window w and vector i that of w * vectors + i.
  std::vector<VecReg> NewResults(const Piece& piece) {
    std::vector<VecReg> results;
    for (int i = 0; i < piece.windows * piece.vectors; ++i) results.push_back(v_.New(absl::StrCat("result", i)));
    return results;
  }

  // Reduces, finishes and stores a piece.
  void EmitPiece(const Piece& piece, absl::Span<const VecReg> results, CarefulForm& careful) {
    if (has_indices()) {
      EmitReductionWithIndices(piece, results);
    } else {
      std::optional<NanWatch<V>> watch;
      if (taps_.has_quick_form()) watch.emplace(v_);
      EmitReduction(piece, results, false, watch.has_value() ? &*watch : nullptr, &careful.start);
    }
    code_.Bind(careful.joined);
    Finish(piece, results);
    if (epilogue_ != nullptr) return EmitEpilogue(piece, results);
    for (int w = 0; w < piece.windows; ++w) {
      for (int i = 0; i < piece.vectors; ++i) {
        const Address to = ptr[output_ + (w * spec_.strip_output_step + i * kVectorBytes)];
        const VecReg& from = results[static_cast<size_t>(w * piece.vectors + i)];
        piece.masked ? v_.StoreMasked(to, *tail_mask_, from) : v_.Store(to, from);
      }
    }
  }

  void Finish(const Piece& piece, absl::Span<const VecReg> results) {
    const GprReg scales = code_.regs().Gpr("scales");
    const VecReg scale = v_.New("scale");
    if (spec_.kind == PoolingKind::kAverage) code_.mov(scales, window_scales_.At());
    for (int w = 0; w < piece.windows; ++w) {
      if (spec_.kind == PoolingKind::kAverage) v_.Broadcast(scale, ptr[scales + w * kElementBytes]);
      for (int i = 0; i < piece.vectors; ++i) taps_.Finish(results[static_cast<size_t>(w * piece.vectors + i)], scale);
    }
  }

  void EmitEpilogue(const Piece& piece, absl::Span<const VecReg> results) {
    const GprReg places = code_.regs().Gpr("places");
    const GprReg row = code_.regs().Gpr("row");
    frame_.Load(places, BURIN_ARG_FIELD(PoolingArgs, places));
    code_.mov(row, row_.At());
    const auto accumulator = [&](int w, int i) -> Xmm { return results[static_cast<size_t>(w * piece.vectors + i)]; };
    EpilogueTile tile = {piece.windows, piece.vectors, accumulator, places, row, column_, {}};
    std::optional<GprReg> last;
    if (piece.masked) {
      last.emplace(code_.regs().Gpr("last"));
      code_.mov(*last, spec_.tail_channels);
      tile.last_columns.emplace(*last);
    }
    epilogue_->Emit(v_, frame_, tile);
  }

  void LoadTap(const Piece& piece, const Xmm& to, const Address& from) {
    piece.masked ? v_.LoadMasked(to, *tail_mask_, from) : v_.Load(to, from);
  }

  void EmitReduction(const Piece& piece, absl::Span<const VecReg> results, bool careful, NanWatch<V>* watch = nullptr,
                     const Label* seen = nullptr) {
    if (watch != nullptr) watch->Reset();
    piece.is_strip ? EmitStrip(piece, results, careful, watch, seen) : EmitSingle(piece, results, careful, watch, seen);
  }

  // Emits loops over all taps around what `body` emits for the address of one. Windows without taps are passed over.
  // `step` emits what follows the beginning of a plane (0), of a row (1) and a tap (2).
  void EmitTapLoops(
      absl::FunctionRef<void(const Reg64& tap)> body, absl::FunctionRef<void(int axis)> step = [](int) {}) {
    const GprReg plane = code_.regs().Gpr("plane");
    const GprReg row = code_.regs().Gpr("row");
    const GprReg tap = code_.regs().Gpr("tap");
    const GprReg planes = code_.regs().Gpr("planes");
    const GprReg rows = code_.regs().Gpr("rows");
    const GprReg taps = code_.regs().Gpr("taps");
    Label next_plane;
    Label next_row;
    Label next_tap;
    Label done;
    code_.mov(plane, input_);
    frame_.Load(planes, BURIN_ARG_FIELD(PoolingArgs, taps0));
    code_.test(planes, planes);
    code_.jz(done);
    code_.Bind(next_plane);
    step(0);
    code_.mov(row, plane);
    frame_.Load(rows, BURIN_ARG_FIELD(PoolingArgs, taps1));
    code_.Bind(next_row);
    step(1);
    code_.mov(tap, row);
    frame_.Load(taps, BURIN_ARG_FIELD(PoolingArgs, taps2));
    code_.Bind(next_tap);
    body(tap);
    step(2);
    code_.add(tap, frame_.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step2)));
    code_.dec(taps);
    code_.jnz(next_tap);
    code_.add(row, frame_.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step1)));
    code_.dec(rows);
    code_.jnz(next_row);
    code_.add(plane, frame_.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step0)));
    code_.dec(planes);
    code_.jnz(next_plane);
    code_.Bind(done);
  }

  // Emits loops over the rows of taps of windows, of which there is one at least, around what `body` emits for the
  // address of the first tap of a row. The first row is not in the loops.
  void EmitRowLoops(absl::FunctionRef<void(const Reg64& row, bool first)> body) {
    const GprReg plane = code_.regs().Gpr("plane");
    const GprReg row = code_.regs().Gpr("row");
    const GprReg planes = code_.regs().Gpr("planes");
    const GprReg rows = code_.regs().Gpr("rows");
    Label next_plane;
    Label next_row;
    Label plane_done;
    body(input_, true);
    code_.mov(plane, input_);
    code_.mov(row, input_);
    frame_.Load(planes, BURIN_ARG_FIELD(PoolingArgs, taps0));
    frame_.Load(rows, BURIN_ARG_FIELD(PoolingArgs, taps1));
    code_.dec(rows);
    code_.jz(plane_done);
    code_.add(row, frame_.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step1)));
    code_.Bind(next_row);
    body(row, false);
    code_.add(row, frame_.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step1)));
    code_.dec(rows);
    code_.jnz(next_row);
    code_.Bind(plane_done);
    code_.dec(planes);
    Label done;
    code_.jz(done);
    code_.add(plane, frame_.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step0)));
    code_.mov(row, plane);
    frame_.Load(rows, BURIN_ARG_FIELD(PoolingArgs, taps1));
    code_.jmp(next_row);
    code_.Bind(done);
  }

  void EmitSingle(const Piece& piece, absl::Span<const VecReg> results, bool careful, NanWatch<V>* watch,
                  const Label* seen) {
    for (const VecReg& result : results) taps_.Start(result);
    EmitTapLoops([&](const Reg64& tap) {
      for (int i = 0; i < piece.vectors; i += 2) {
        EmitTapPair(piece, results[static_cast<size_t>(i)], ptr[tap + i * kVectorBytes],
                    i + 1 < piece.vectors ? &static_cast<const Xmm&>(results[static_cast<size_t>(i + 1)]) : nullptr,
                    ptr[tap + (i + 1) * kVectorBytes], careful, watch);
      }
    });
    if (watch != nullptr) watch->JumpIfSeen(*seen);
  }

  // Adds one tap, or two where there is a second.
  void EmitTapPair(const Piece& piece, const Xmm& first, const Address& first_tap, const Xmm* second,
                   const Address& second_tap, bool careful, NanWatch<V>* watch) {
    if (!piece.masked && spec_.kind == PoolingKind::kAverage) {
      v_.Add(first, first, first_tap);
      if (second != nullptr) v_.Add(*second, *second, second_tap);
      return;
    }
    const VecReg a = v_.New("tap");
    const VecReg b = v_.New("tap");
    LoadTap(piece, a, first_tap);
    if (second != nullptr) LoadTap(piece, b, second_tap);
    if (watch != nullptr) watch->Look(a, second != nullptr ? b : a);
    taps_.Add(first, a, careful);
    if (second != nullptr) taps_.Add(*second, b, careful);
  }

  // Begins with one tap, or with two where there is a second.
  void EmitFirstTapPair(const Piece& piece, const Xmm& first, const Address& first_tap, const Xmm* second,
                        const Address& second_tap, NanWatch<V>* watch) {
    LoadTap(piece, first, first_tap);
    if (second != nullptr) LoadTap(piece, *second, second_tap);
    if (watch != nullptr) watch->Look(first, second != nullptr ? *second : first);
    taps_.Begin(first);
    if (second != nullptr) taps_.Begin(*second);
  }

  // Names the registers of the columns of a strip, by the bytes from the first tap and by vector. The column of a
  // window's first tap is the window's result: of the windows that read it, it is the last. The rest is in `others`.
  std::map<std::pair<int64_t, int>, Xmm> NameColumns(const Piece& piece, absl::Span<const VecReg> results,
                                                     std::vector<VecReg>& others) {
    std::map<std::pair<int64_t, int>, Xmm> columns;
    for (const int64_t offset : ColumnsOf(spec_, piece.windows)) {
      if (offset < piece.begin || offset >= piece.end) continue;
      const int64_t w = offset / spec_.strip_window_step;
      for (int i = 0; i < piece.vectors; ++i) {
        if (offset % spec_.strip_window_step == 0 && w < piece.windows) {
          columns.emplace(std::make_pair(offset, i), results[static_cast<size_t>(w * piece.vectors + i)]);
        } else {
          others.push_back(v_.New(absl::StrCat("column", others.size())));
          columns.emplace(std::make_pair(offset, i), others.back());
        }
      }
    }
    return columns;
  }

  void EmitStrip(const Piece& piece, absl::Span<const VecReg> results, bool careful, NanWatch<V>* watch,
                 const Label* seen) {
    std::vector<VecReg> others;
    const std::map<std::pair<int64_t, int>, Xmm> columns = NameColumns(piece, results, others);
    const auto address = [](const Reg64& row, const std::pair<int64_t, int>& column) {
      return ptr[row + static_cast<size_t>(column.first + column.second * kVectorBytes)];
    };
    EmitRowLoops([&](const Reg64& row, bool is_first) {
      for (auto it = columns.begin(); it != columns.end(); ++it) {
        const auto first = it;
        const auto second = std::next(it);
        const bool is_pair = second != columns.end();
        const Address a = address(row, first->first);
        const Address b = is_pair ? address(row, second->first) : a;
        const Xmm* const other = is_pair ? &second->second : nullptr;
        is_first ? EmitFirstTapPair(piece, first->second, a, other, b, watch)
                 : EmitTapPair(piece, first->second, a, other, b, careful, watch);
        if (is_pair) ++it;
      }
    });
    if (watch != nullptr) watch->JumpIfSeen(*seen);
    for (int w = 0; w < piece.windows; ++w) {
      for (int i = 0; i < piece.vectors; ++i) {
        const Xmm result = results[static_cast<size_t>(w * piece.vectors + i)];
        // Without its first tap, the result has a register of its own, which is empty yet.
        bool is_empty = columns.count({int64_t{w} * spec_.strip_window_step, i}) == 0;
        for (int t = is_empty ? 0 : 1; t < spec_.strip_taps; ++t) {
          const auto column =
              columns.find({int64_t{w} * spec_.strip_window_step + int64_t{t} * spec_.strip_tap_step, i});
          if (column == columns.end()) continue;
          is_empty ? v_.Copy(result, column->second) : taps_.Join(result, column->second, careful);
          is_empty = false;
        }
        if (is_empty) taps_.Start(result);
      }
    }
  }

  // Reduces to the first maximum of each channel, and stores its position.
  void EmitReductionWithIndices(const Piece& piece, absl::Span<const VecReg> results) {
    std::vector<VecReg> positions;
    {
      const VecReg at_plane = v_.New("at_plane");
      const VecReg at_row = v_.New("at_row");
      const VecReg at_tap = v_.New("at_tap");
      const VecReg step = v_.New("step");
      const auto advance = [&](const Xmm& position, const ArgField<int32_t>& field) {
        v_.Broadcast(step, frame_.Arg(field));
        v_.AddI32(position, position, step);
      };
      v_.Broadcast(at_plane, position_.At());
      for (const VecReg& result : results) {
        taps_.Start(result);
        positions.push_back(v_.New("position"));
        v_.Copy(VecGroup(positions.back()), VecGroup(at_plane));
      }
      EmitTapLoops(
          [&](const Reg64& tap) {
            for (int i = 0; i < piece.vectors; ++i) {
              EmitCandidate(piece, ptr[tap + i * kVectorBytes], results[static_cast<size_t>(i)],
                            positions[static_cast<size_t>(i)], at_tap);
            }
          },
          [&](int axis) {
            if (axis == 2) return advance(at_tap, BURIN_ARG_FIELD(PoolingArgs, position_step2));
            const bool plane = axis == 0;
            v_.Copy(VecGroup(plane ? at_row : at_tap), VecGroup(plane ? at_plane : at_row));
            plane ? advance(at_plane, BURIN_ARG_FIELD(PoolingArgs, position_step0))
                  : advance(at_row, BURIN_ARG_FIELD(PoolingArgs, position_step1));
          });
    }
    EmitStorePositions(piece, positions);
  }

  // Takes the tap, and its position, where it is larger than the result: by number, or a NaN where there is none yet.
  void EmitCandidate(const Piece& piece, const Address& from, const Xmm& result, const Xmm& position, const Xmm& at) {
    const VecReg tap = v_.New("tap");
    LoadTap(piece, tap, from);
    const auto taken = v_.NewMask("taken", 1);
    {
      const auto first_nan = v_.NewMask("first_nan", 1);
      const auto number = v_.NewMask("number", 1);
      v_.Compare(taken, tap, result, VecCompare::kGreater);
      v_.Compare(first_nan, tap, tap, VecCompare::kUnordered);
      v_.Compare(number, result, result, VecCompare::kEqual);
      v_.AndMasks(first_nan, first_nan, number);
      v_.OrMasks(taken, taken, first_nan);
    }
    v_.SelectOne(result, taken[0], tap, result);
    v_.SelectOne(position, taken[0], at, position);
  }

  // Adds what the channels add, but in windows without taps, which have position 0.
  void EmitStorePositions(const Piece& piece, absl::Span<const VecReg> positions) {
    Label empty;
    Label store;
    const GprReg base = code_.regs().Gpr("base");
    {
      const GprReg step = code_.regs().Gpr("step");
      frame_.Load(step, BURIN_ARG_FIELD(PoolingArgs, taps0));
      code_.test(step, step);
      code_.jz(empty);
      frame_.Load(base, BURIN_ARG_FIELD(PoolingArgs, position_base));
      frame_.Load(step, BURIN_ARG_FIELD(PoolingArgs, position_channel_step));
      code_.imul(step, column_);
      code_.add(base, step);
    }
    {
      std::vector<int32_t> lanes(V::kLanes);
      for (int i = 0; i < V::kLanes; ++i) lanes[static_cast<size_t>(i)] = i;
      const VecReg channels = v_.New("channels");
      const VecReg step = v_.New("step");
      v_.Broadcast(step, frame_.Arg(BURIN_ARG_FIELD(PoolingArgs, position_channel_step)));
      v_.MulI32(channels, step, code_.Table(absl::Span<const int32_t>(lanes)));
      for (int i = 0; i < piece.vectors; ++i) {
        const VecReg first = v_.New("first");
        v_.BroadcastGpr(first, base.cvt32());
        v_.AddI32(positions[static_cast<size_t>(i)], positions[static_cast<size_t>(i)], first);
        v_.AddI32(positions[static_cast<size_t>(i)], positions[static_cast<size_t>(i)], channels);
        if (i + 1 == piece.vectors) break;
        const GprReg vector_step = code_.regs().Gpr("vector_step");
        frame_.Load(vector_step, BURIN_ARG_FIELD(PoolingArgs, position_channel_step));
        code_.imul(vector_step, vector_step, V::kLanes);
        code_.add(base, vector_step);
      }
    }
    code_.jmp(store);
    code_.Bind(empty);
    for (const VecReg& position : positions) v_.Zero(VecGroup(position));
    code_.Bind(store);
    const VecPart<V> part = piece.masked ? VecPart<V>::First(v_, spec_.tail_channels) : VecPart<V>();
    for (int i = 0; i < piece.vectors; ++i) {
      EmitStoreI32As(v_, spec_.index_type, ptr[*indices_ + i * V::kLanes * index_bytes()],
                     VecGroup(positions[static_cast<size_t>(i)]), StoreOptions::Convert(), part);
    }
  }

  const PoolingCodeSpec& spec_;
  const EpilogueEmitter* const epilogue_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  PoolingTaps<V> taps_;
  // Of the present channels.
  GprReg input_;
  GprReg output_;
  GprReg column_;
  GprReg vectors_;
  std::optional<GprReg> indices_;
  // Of the present windows: their first channels, how many are left, and where their first tap is.
  StackSlot window_input_;
  StackSlot window_output_;
  StackSlot window_indices_;
  StackSlot window_scales_;
  StackSlot windows_;
  StackSlot row_;
  StackSlot position_;
  std::optional<typename V::MaskRegister> tail_mask_;
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

int PoolingCodeSpec::StripColumns(int windows) const { return static_cast<int>(ColumnsOf(*this, windows).size()); }

std::string PoolingCodeSpec::Name() const {
  constexpr const char* kKinds[] = {"max", "average", "lp"};
  return absl::StrCat("pool_", kKinds[static_cast<size_t>(kind)], kind == PoolingKind::kLp ? absl::StrCat(p) : "",
                      index_type != ElementType::kUndefined ? "_indices" : "",
                      strip_windows > 0 ? absl::StrCat("_k", strip_taps, "_w", strip_windows, "x", strip_vectors) : "",
                      "_v", single_vectors, tail_channels > 0 ? absl::StrCat("_t", tail_channels) : "");
}

Hash128 PoolingCodeSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(static_cast<int>(kind));
  hasher.UpdateInt(p);
  hasher.UpdateInt(static_cast<int>(index_type));
  hasher.UpdateInt(strip_windows);
  hasher.UpdateInt(strip_vectors);
  hasher.UpdateInt(strip_taps);
  hasher.UpdateInt(strip_tap_step);
  hasher.UpdateInt(strip_window_step);
  hasher.UpdateInt(strip_output_step);
  hasher.UpdateInt(first_begin);
  hasher.UpdateInt(last_windows);
  hasher.UpdateInt(last_end);
  hasher.UpdateInt(is_one_strip);
  hasher.UpdateInt(single_vectors);
  hasher.UpdateInt(tail_channels);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GeneratePooling(const PoolingCodeSpec& spec, const Target& target,
                                         const EpilogueEmitter* epilogue) {
  return target.Supports(IsaLevel::kAvx512) ? Generate<VecAvx512>(spec, target, epilogue)
                                            : Generate<VecAvx2>(spec, target, epilogue);
}

}  // namespace burin::jit

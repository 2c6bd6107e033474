#include "jit/kernels/copy_tiles.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/copy_args.h"

namespace burin::jit {
namespace {

constexpr int kLineBytes = 64;

// What is loaded of a row at a time: instructions interleave within 16 bytes.
constexpr int kPieceBytes = 16;

absl::string_view ShapeName(CopyTileShape shape) {
  switch (shape) {
    case CopyTileShape::kLine:
      return "line";
    case CopyTileShape::kSmall:
      return "small";
    case CopyTileShape::kMasked:
      return "masked";
  }
  return "unknown";
}

// Returns how many pieces of each row a tile takes at a time. All values of a tile are in registers at once, with one
// to spare.
int PiecesAtOnce(int element_bytes, const IsaSet& isa) {
  const int values = kPieceBytes / element_bytes;
  const int registers = isa.Supports(IsaLevel::kAvx512) ? 31 : 15;
  int pieces = kLineBytes / kPieceBytes;
  while (pieces > 1 && pieces * values > registers) pieces /= 2;
  return pieces;
}

// Returns how many pieces of different rows a vector holds.
int Lanes(const CopyTilesSpec& spec, const IsaSet& isa) {
  if (spec.shape != CopyTileShape::kLine) return 1;
  return isa.Supports(IsaLevel::kAvx512) && !spec.half_lines ? 4 : 2;
}

// Emits the kernel. A tile is `lanes_` x `size_` rows, of which row lane * size_ + k is in lane `lane` of value k, and
// some pieces wide. Interleaving the halves of a list of `size_` values rotates the bits of an element's place in the
// list by one; after log2(size_) times rows and columns of each lane have changed places.
class CopyTilesGenerator {
 public:
  CopyTilesGenerator(const CopyTilesSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        size_(kPieceBytes / spec.element_bytes),
        lanes_(Lanes(spec, code.isa())),
        pieces_(spec.wide ? PiecesAtOnce(spec.element_bytes, code.isa()) : 1),
        row_stride_(code.regs().Gpr("row_stride")),
        row_stride3_(code.regs().Gpr("row_stride3")),
        column_stride_(code.regs().Gpr("column_stride")),
        column_stride3_(code.regs().Gpr("column_stride3")),
        plane_source_(code.regs().Gpr("plane_source")),
        plane_destination_(code.regs().Gpr("plane_destination")),
        row_(code.regs().Gpr("row")),
        column_(code.regs().Gpr("column")),
        from_(code.regs().Gpr("from")),
        to_(code.regs().Gpr("to")),
        planes_(frame_.Slot(8, "planes")) {
    const int values = size_ * pieces_;
    const bool spilled = values + 1 > code.regs().capacity(RegClass::kVec);
    for (int i = 0; i < values + (spilled ? 0 : 1); ++i) vecs_.push_back(code.regs().Vec(absl::StrCat("v", i)));
    if (spilled) slot_.emplace(frame_.Slot(lanes_ * kPieceBytes, "value"));
    if (masked()) {
      column_mask_.emplace(code.regs().Mask("column_mask"));
      row_mask_.emplace(code.regs().Mask("row_mask"));
      rows_here_.emplace(code.regs().Gpr("rows_here"));
      columns_here_.emplace(code.regs().Gpr("columns_here"));
    }
  }

  void Emit() {
    Label plane;
    frame_.Load(row_stride_, BURIN_ARG_FIELD(CopyArgs, source_stride0));
    frame_.Load(column_stride_, BURIN_ARG_FIELD(CopyArgs, destination_stride1));
    code_.lea(row_stride3_, ptr[row_stride_ + row_stride_ * 2]);
    code_.lea(column_stride3_, ptr[column_stride_ + column_stride_ * 2]);
    frame_.Load(plane_source_, BURIN_ARG_FIELD(CopyArgs, source));
    frame_.Load(plane_destination_, BURIN_ARG_FIELD(CopyArgs, destination));
    frame_.Load(from_, BURIN_ARG_FIELD(CopyArgs, extent2));
    code_.mov(planes_.At(), from_);
    code_.Bind(plane);
    EmitPlane();
    code_.add(plane_source_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, source_stride2)));
    code_.add(plane_destination_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, destination_stride2)));
    code_.mov(from_, planes_.At());
    code_.dec(from_);
    code_.mov(planes_.At(), from_);
    code_.jnz(plane);
    frame_.Finish();
  }

 private:
  bool masked() const { return spec_.shape == CopyTileShape::kMasked; }

  void EmitPlane() {
    const Address rows = frame_.Arg(BURIN_ARG_FIELD(CopyArgs, extent0));
    const Address columns = frame_.Arg(BURIN_ARG_FIELD(CopyArgs, extent1));
    if (masked()) {
      EmitMaskedLoop(column_, columns, *columns_here_, *column_mask_,
                     [&] { EmitMaskedLoop(row_, rows, *rows_here_, *row_mask_, [&] { EmitSmallTile(); }); });
      return;
    }
    EmitTileLoop(column_, columns, spec_.TileColumns(), [&] {
      EmitTileLoop(row_, rows, spec_.TileRows(), [&] {
        if (spec_.staged) {
          EmitStagedTile();
        } else if (spec_.shape == CopyTileShape::kLine) {
          EmitLineTile();
        } else {
          EmitSmallTile();
        }
      });
    });
  }

  // Emits a loop in steps of `step` up to `extent`, which is no less; the last step may be shorter than the others.
  void EmitTileLoop(const Reg64& index, const Address& extent, int step, absl::FunctionRef<void()> body) {
    Label next;
    Label done;
    code_.xor_(index.cvt32(), index.cvt32());
    code_.Bind(next);
    body();
    // From here on `index` is relative to the last tile's: negative before, 0 at it.
    code_.add(index, 2 * step);
    code_.sub(index, extent);
    Label whole;
    code_.jle(whole);
    // Less than a tile is left.
    code_.cmp(index, step);
    code_.jge(done);
    code_.xor_(index.cvt32(), index.cvt32());
    code_.Bind(whole);
    code_.add(index, extent);
    code_.sub(index, step);
    code_.jmp(next);
    code_.Bind(done);
  }

  // Emits a loop in steps of a piece, of which the last has fewer elements; `here` is their number and `mask` has a bit
  // for each of their bytes.
  void EmitMaskedLoop(const Reg64& index, const Address& extent, const Reg64& here, const Opmask& mask,
                      absl::FunctionRef<void()> body) {
    Label next;
    Label whole;
    code_.xor_(index.cvt32(), index.cvt32());
    code_.Bind(next);
    code_.mov(here, extent);
    code_.sub(here, index);
    code_.cmp(here, size_);
    code_.jle(whole);
    code_.mov(here.cvt32(), size_);
    code_.Bind(whole);
    code_.mov(from_.cvt32(), -1);
    EmitScaled(to_, here);
    code_.bzhi(from_.cvt32(), from_.cvt32(), to_.cvt32());
    code_.kmovw(mask, from_.cvt32());
    body();
    code_.add(index, size_);
    code_.cmp(index, extent);
    code_.jl(next);
  }

  // Sets `to` to the bytes of `count` elements.
  void EmitScaled(const Reg64& to, const Reg64& count) {
    code_.mov(to, count);
    if (spec_.element_bytes > 1) code_.shl(to, ShiftOf(spec_.element_bytes));
  }

  static int ShiftOf(int power_of_two) {
    int shift = 0;
    while ((1 << shift) < power_of_two) ++shift;
    return shift;
  }

  // Sets from_ to the place of row row_ + `extra_row` and column column_ + `extra_column`.
  void EmitFrom(int extra_row, int extra_column) {
    const GprReg offset = code_.regs().Gpr("offset");
    code_.lea(from_, ptr[row_ + extra_row]);
    code_.imul(from_, row_stride_);
    code_.add(from_, plane_source_);
    EmitScaled(offset, column_);
    if (extra_column != 0) code_.add(offset, extra_column * spec_.element_bytes);
    code_.add(from_, offset);
  }

  // Sets to_ to the place of row row_ + `extra_row` and column column_ + `extra_column`.
  void EmitTo(int extra_row, int extra_column) {
    const GprReg offset = code_.regs().Gpr("offset");
    code_.lea(to_, ptr[column_ + extra_column]);
    code_.imul(to_, column_stride_);
    code_.add(to_, plane_destination_);
    EmitScaled(offset, row_);
    if (extra_row != 0) code_.add(offset, extra_row * spec_.element_bytes);
    code_.add(to_, offset);
  }

  static Xbyak::RegExp Strided(const Reg64& base, const Reg64& stride, const Reg64& stride3, int count) {
    switch (count) {
      case 0:
        return base;
      case 1:
        return base + stride;
      case 2:
        return base + stride * 2;
      default:
        return base + stride3;
    }
  }

  // Return the address of row `number` after from_, and of column `number` after to_; asked for in order, each once.
  Xbyak::RegExp Row(int number) {
    if (number % 4 == 0 && number > 0) code_.lea(from_, ptr[from_ + row_stride_ * 4]);
    return Strided(from_, row_stride_, row_stride3_, number % 4);
  }
  Xbyak::RegExp Column(int number) {
    if (number % 4 == 0 && number > 0) code_.lea(to_, ptr[to_ + column_stride_ * 4]);
    return Strided(to_, column_stride_, column_stride3_, number % 4);
  }

  Xmm Whole(int vec) const {
    const Xmm& reg = vecs_[vec];
    return lanes_ == 4 ? Xmm(AsZmm(reg)) : lanes_ == 2 ? Xmm(AsYmm(reg)) : AsXmm(reg);
  }

  bool Spills(int value) const { return slot_.has_value() && value == size_ - 1; }

  void EmitLoadLane(int value, int lane, const Address& address) {
    if (Spills(value)) {
      code_.vmovups(AsXmm(vecs_[value]), address);
      code_.vmovups(slot_->At(lane * kPieceBytes), AsXmm(vecs_[value]));
    } else if (lane == 0) {
      code_.vmovups(AsXmm(vecs_[value]), address);
    } else if (lanes_ == 4) {
      code_.vinserti32x4(AsZmm(vecs_[value]), AsZmm(vecs_[value]), address, lane);
    } else if (code_.isa().Supports(IsaLevel::kAvx512)) {
      code_.vinserti32x4(AsYmm(vecs_[value]), AsYmm(vecs_[value]), address, lane);
    } else {
      code_.vinserti128(AsYmm(vecs_[value]), AsYmm(vecs_[value]), address, lane);
    }
  }

  void EmitUnpack(bool high, const Xmm& to, const Operand& low_part, const Operand& high_part) {
    const Xmm& first = static_cast<const Xmm&>(low_part);
    switch (spec_.element_bytes) {
      case 1:
        return high ? code_.vpunpckhbw(to, first, high_part) : code_.vpunpcklbw(to, first, high_part);
      case 2:
        return high ? code_.vpunpckhwd(to, first, high_part) : code_.vpunpcklwd(to, first, high_part);
      case 4:
        return high ? code_.vpunpckhdq(to, first, high_part) : code_.vpunpckldq(to, first, high_part);
      default:
        return high ? code_.vpunpckhqdq(to, first, high_part) : code_.vpunpcklqdq(to, first, high_part);
    }
  }

  // Returns which values are wanted before each round, and after the last, where `columns` columns are wanted in the
  // end.
  std::vector<std::vector<bool>> WantedValues(int columns) const {
    std::vector<std::vector<bool>> wanted(1, std::vector<bool>(static_cast<size_t>(size_)));
    std::fill_n(wanted[0].begin(), columns, true);
    for (int round = 1; round < size_; round *= 2) {
      std::vector<bool> before(static_cast<size_t>(size_));
      for (int i = 0; i < size_; ++i) before[i] = wanted[0][2 * i % size_] || wanted[0][2 * i % size_ + 1];
      wanted.insert(wanted.begin(), before);
    }
    return wanted;
  }

  // Transposes the values of one piece, in place; returns the registers that hold the columns, of which the first
  // `columns` are wanted. `spare` is a free register, and becomes another one.
  std::vector<int> EmitRounds(int first, int columns, int& spare) {
    const std::vector<std::vector<bool>> wanted = WantedValues(columns);
    std::vector<int> values(size_);
    for (int i = 0; i < size_; ++i) values[i] = first + i;
    for (size_t round = 1; round < wanted.size(); ++round) {
      std::vector<int> next(size_);
      for (int i = 0; i < size_ / 2; ++i) {
        const int low = values[i];
        const int high = values[i + size_ / 2];
        const bool spilled = Spills(i + size_ / 2);
        const Address slot = spilled ? slot_->At() : Address(0);
        const Xmm high_vec = Whole(high);
        const Operand& other = spilled ? static_cast<const Operand&>(slot) : high_vec;
        if (wanted[round][2 * i]) EmitUnpack(false, Whole(spare), Whole(low), other);
        if (wanted[round][2 * i + 1]) EmitUnpack(true, Whole(low), Whole(low), other);
        next[2 * i] = spare;
        next[2 * i + 1] = low;
        spare = high;
        if (spilled && round + 1 < wanted.size()) {
          code_.vmovups(slot_->At(), Whole(low));
          spare = low;
        }
      }
      values = next;
    }
    return values;
  }

  // Loads the tile from where `row` says, transposes it and writes it to where `column` says; both are called with
  // ascending numbers.
  void EmitTile(absl::FunctionRef<Xbyak::RegExp(int number)> row, absl::FunctionRef<Xbyak::RegExp(int number)> column) {
    for (int lane = 0; lane < lanes_; ++lane) {
      for (int k = 0; k < size_; ++k) {
        const Xbyak::RegExp from = row(lane * size_ + k);
        for (int piece = 0; piece < pieces_; ++piece) {
          EmitLoadLane(piece * size_ + k, lane, ptr[from + piece * kPieceBytes]);
        }
      }
    }
    int spare = slot_.has_value() ? size_ - 1 : size_ * pieces_;
    for (int piece = 0; piece < pieces_; ++piece) {
      const std::vector<int> columns = EmitRounds(piece * size_, size_, spare);
      for (int k = 0; k < size_; ++k) code_.vmovups(ptr[column(piece * size_ + k)], Whole(columns[k]));
    }
  }

  // Moves one line of each row of the destination in a tile; where vectors are shorter than a line, in two halves.
  void EmitLineTile() {
    const int half_rows = lanes_ * size_;
    for (int column = 0; column < spec_.TileColumns(); column += pieces_ * size_) {
      for (int half = 0; half < kLineBytes / (lanes_ * kPieceBytes); ++half) {
        EmitTo(half * half_rows, column);
        EmitFrom(half * half_rows, column);
        EmitTile([&](int row) { return Row(row); }, [&](int number) { return Column(number); });
      }
    }
  }

  // Moves the same by way of the scratch memory, which holds the tile's lines of the source one after the other.
  void EmitStagedTile() {
    EmitStage();
    const GprReg staged = code_.regs().Gpr("staged");
    const GprReg left = code_.regs().Gpr("left");
    const int half_rows = lanes_ * size_;
    const int columns = pieces_ * size_;
    Label next;
    EmitTo(0, 0);
    frame_.Load(staged, BURIN_ARG_FIELD(CopyArgs, scratch));
    code_.mov(left.cvt32(), spec_.TileColumns() / columns);
    code_.Bind(next);
    for (int half = 0; half < kLineBytes / (lanes_ * kPieceBytes); ++half) {
      code_.mov(from_, to_);
      EmitTile([&](int row) { return staged + (half * half_rows + row) * kLineBytes; },
               [&](int number) { return Column(number) + half * lanes_ * kPieceBytes; });
      code_.mov(to_, from_);
    }
    code_.mov(from_, column_stride_);
    code_.shl(from_, ShiftOf(columns));
    code_.add(to_, from_);
    code_.add(staged, pieces_ * kPieceBytes);
    code_.dec(left.cvt32());
    code_.jnz(next);
  }

  // Copies the lines of a tile's rows into the scratch memory.
  void EmitStage() {
    constexpr int kUnrolled = 4;
    const GprReg left = code_.regs().Gpr("left");
    const int step = lanes_ * kPieceBytes;
    Label rows;
    EmitFrom(0, 0);
    frame_.Load(to_, BURIN_ARG_FIELD(CopyArgs, scratch));
    code_.mov(left.cvt32(), spec_.TileRows() / kUnrolled);
    code_.Bind(rows);
    for (int row = 0; row < kUnrolled; ++row) {
      const Xbyak::RegExp from = Row(row);
      for (int offset = 0; offset < kLineBytes; offset += step) {
        const Xmm vec = Whole((row * kLineBytes + offset) / step % 2);
        code_.vmovups(vec, ptr[from + offset]);
        code_.vmovups(ptr[to_ + (row * kLineBytes + offset)], vec);
      }
    }
    code_.lea(from_, ptr[from_ + row_stride_ * 4]);
    code_.add(to_, kUnrolled * kLineBytes);
    code_.dec(left.cvt32());
    code_.jnz(rows);
  }

  // Moves a tile of at most one piece each way.
  void EmitSmallTile() {
    EmitTo(0, 0);
    EmitFrom(0, 0);
    if (!masked()) {
      EmitTile([&](int row) { return Row(row); }, [&](int number) { return Column(number); });
      return;
    }
    Label loaded;
    Label stored;
    for (int k = 0; k < size_; ++k) {
      if (k > 0) {
        code_.cmp(rows_here_->cvt32(), k);
        code_.jle(loaded);
      }
      code_.vmovdqu8(AsXmm(vecs_[k]) | *column_mask_ | T_z, ptr[Row(k)]);
    }
    code_.Bind(loaded);
    int spare = size_;
    const int most = spec_.few_columns ? std::min(size_, kFewColumns) : size_;
    const std::vector<int> columns = EmitRounds(0, most, spare);
    for (int k = 0; k < most; ++k) {
      if (k > 0) {
        code_.cmp(columns_here_->cvt32(), k);
        code_.jle(stored);
      }
      code_.vmovdqu8(ptr[Column(k)] | *row_mask_, AsXmm(vecs_[columns[k]]));
    }
    code_.Bind(stored);
  }

  const CopyTilesSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  // Elements of a piece, which are also the values of a lane.
  const int size_;
  const int lanes_;
  const int pieces_;
  GprReg row_stride_;
  GprReg row_stride3_;
  GprReg column_stride_;
  GprReg column_stride3_;
  GprReg plane_source_;
  GprReg plane_destination_;
  GprReg row_;
  GprReg column_;
  GprReg from_;
  GprReg to_;
  StackSlot planes_;
  std::vector<VecReg> vecs_;
  // Holds the last value where there is no register to spare.
  std::optional<StackSlot> slot_;
  std::optional<MaskReg> column_mask_;
  std::optional<MaskReg> row_mask_;
  std::optional<GprReg> rows_here_;
  std::optional<GprReg> columns_here_;
};

}  // namespace

int CopyTilesSpec::TileRows() const {
  return (shape == CopyTileShape::kLine ? kLineBytes : kPieceBytes) / element_bytes;
}

int CopyTilesSpec::TileColumns() const { return (wide ? kLineBytes : kPieceBytes) / element_bytes; }

std::string CopyTilesSpec::Name() const {
  return absl::StrCat("transpose_", element_bytes, "_", ShapeName(shape), wide ? "_wide" : "",
                      half_lines ? "_half" : "", staged ? "_staged" : "", few_columns ? "_few" : "");
}

Hash128 CopyTilesSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(element_bytes);
  hasher.UpdateString(ShapeName(shape));
  hasher.UpdateInt(wide);
  hasher.UpdateInt(half_lines);
  hasher.UpdateInt(staged);
  hasher.UpdateInt(few_columns);
  return hasher.Finish();
}

bool ReadsLinesOnce(int element_bytes, const IsaSet& isa) {
  return PiecesAtOnce(element_bytes, isa) == kLineBytes / kPieceBytes;
}

absl::StatusOr<CodeBlob> GenerateCopyTiles(const CopyTilesSpec& spec, const IsaSet& isa) {
  if (spec.shape == CopyTileShape::kMasked && !isa.Supports(IsaLevel::kAvx512)) {
    return absl::InternalError(absl::StrCat("Tiles by masks need the level avx512: ", spec.Name()));
  }
  Assembler code(spec.Name(), isa);
  {
    CopyTilesGenerator generator(spec, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit

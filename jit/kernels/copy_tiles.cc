#include "jit/kernels/copy_tiles.h"

#include <algorithm>
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
#include "jit/kernels/copy_interleaver.h"
#include "jit/kernels/copy_walk.h"

namespace burin::jit {
namespace {

constexpr int kLineBytes = 64;

constexpr int kPieceBytes = CopyInterleaver::kPieceBytes;

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

// Returns how many pieces of different rows a vector holds.
int Lanes(const CopyTilesSpec& spec, const IsaSet& isa) {
  if (spec.shape != CopyTileShape::kLine) return 1;
  return isa.Supports(IsaLevel::kAvx512) && !spec.half_lines ? 4 : 2;
}

class CopyTilesGenerator {
 public:
  CopyTilesGenerator(const CopyTilesSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        tile_(code, frame_, spec.element_bytes, Lanes(spec, code.isa()),
              CopyInterleaver::PiecesAtOnce(spec.element_bytes, spec.wide ? kLineBytes / kPieceBytes : 1, code.isa())),
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
        planes_(frame_.Slot(8, "planes")),
        rows_(code, row_stride_, row_stride3_),
        columns_(code, column_stride_, column_stride3_) {
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
    if (spec_.half_lines) {
      EmitTileLoop(column_, columns, tile_.columns(), [&] { EmitStrip(rows); });
      return;
    }
    EmitTileLoop(column_, columns, spec_.TileColumns(), [&] {
      EmitTileLoop(row_, rows, spec_.TileRows(), [&] {
        if (spec_.shape == CopyTileShape::kLine) {
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
    code_.cmp(here, kPieceBytes / spec_.element_bytes);
    code_.jle(whole);
    code_.mov(here.cvt32(), kPieceBytes / spec_.element_bytes);
    code_.Bind(whole);
    code_.mov(from_.cvt32(), -1);
    EmitScaled(to_, here);
    code_.bzhi(from_.cvt32(), from_.cvt32(), to_.cvt32());
    code_.kmovw(mask, from_.cvt32());
    body();
    code_.add(index, kPieceBytes / spec_.element_bytes);
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

  // Sets from_ and to_ to the place of row row_ and column column_.
  void EmitPlace() {
    const GprReg offset = code_.regs().Gpr("offset");
    code_.mov(from_, row_);
    code_.imul(from_, row_stride_);
    code_.add(from_, plane_source_);
    EmitScaled(offset, column_);
    code_.add(from_, offset);
    code_.mov(to_, column_);
    code_.imul(to_, column_stride_);
    code_.add(to_, plane_destination_);
    EmitScaled(offset, row_);
    code_.add(to_, offset);
  }

  // Moves a tile's columns of all rows, by tiles whose vectors are halves of lines of the destination.
  void EmitStrip(const Address& rows) {
    const GprReg near_from = code_.regs().Gpr("near_from");
    const GprReg near_to = code_.regs().Gpr("near_to");
    Label next;
    Label done;
    EmitScaled(from_, column_);
    code_.add(from_, plane_source_);
    code_.mov(to_, column_);
    code_.imul(to_, column_stride_);
    code_.add(to_, plane_destination_);
    code_.mov(row_, rows);
    code_.sub(row_, tile_.rows());
    code_.Align(32);
    code_.Bind(next);
    rows_.Start(from_, near_from);
    columns_.Start(to_, near_to);
    tile_.EmitTile([&](int number) { return rows_.At(number); }, [&](int number) { return columns_.At(number); });
    code_.lea(from_, ptr[rows_.At(tile_.rows())]);
    code_.add(to_, tile_.vector_bytes());
    code_.sub(row_, tile_.rows());
    code_.jge(next);
    // What is left is moved with as many of the rows before as make a tile.
    code_.cmp(row_, -tile_.rows());
    code_.je(done);
    code_.mov(near_from, row_);
    code_.imul(near_from, row_stride_);
    code_.add(from_, near_from);
    EmitScaled(near_to, row_);
    code_.add(to_, near_to);
    code_.xor_(row_.cvt32(), row_.cvt32());
    code_.jmp(next);
    code_.Bind(done);
  }

  // Moves one line of each row of the destination in a tile; where vectors are shorter than a line, in two halves, one
  // right after the other.
  void EmitLineTile() {
    const GprReg near_from = code_.regs().Gpr("near_from");
    const GprReg near_to = code_.regs().Gpr("near_to");
    EmitPlace();
    for (int column = 0; column < spec_.TileColumns(); column += tile_.columns()) {
      const bool last = column + tile_.columns() >= spec_.TileColumns();
      rows_.Start(from_, near_from);
      for (int row = 0; row < spec_.TileRows(); row += tile_.rows()) {
        const int offset = row * spec_.element_bytes;
        columns_.Start(to_, last && offset + tile_.vector_bytes() >= kLineBytes ? Reg64(to_) : Reg64(near_to));
        tile_.EmitTile([&](int number) { return rows_.At(row + number); },
                       [&](int number) { return columns_.At(number) + offset; });
      }
      if (last) break;
      code_.add(from_, tile_.columns() * spec_.element_bytes);
      for (int k = 0; k < tile_.columns(); k += 4) {
        code_.lea(to_, ptr[Strided(to_, std::min(4, tile_.columns() - k))]);
      }
    }
  }

  // Returns the address `count` <= 4 columns behind `to`.
  Xbyak::RegExp Strided(const Reg64& to, int count) const {
    return count == 3 ? to + column_stride3_ : to + column_stride_ * count;
  }

  // Moves a tile of at most one piece each way.
  void EmitSmallTile() {
    EmitPlace();
    rows_.Start(from_, from_);
    columns_.Start(to_, to_);
    if (!masked()) {
      tile_.EmitTile([&](int row) { return rows_.At(row); }, [&](int number) { return columns_.At(number); });
      return;
    }
    const int size = tile_.rows();
    Label loaded;
    Label stored;
    for (int k = 0; k < size; ++k) {
      if (k > 0) {
        code_.cmp(rows_here_->cvt32(), k);
        code_.jle(loaded);
      }
      code_.vmovdqu8(AsXmm(tile_.value(k)) | *column_mask_ | T_z, ptr[rows_.At(k)]);
    }
    code_.Bind(loaded);
    const int most = spec_.few_columns ? std::min(size, kFewColumns) : size;
    const std::vector<Xmm> columns = tile_.EmitRounds(most);
    for (int k = 0; k < most; ++k) {
      if (k > 0) {
        code_.cmp(columns_here_->cvt32(), k);
        code_.jle(stored);
      }
      code_.vmovdqu8(ptr[columns_.At(k)] | *row_mask_, columns[k]);
    }
    code_.Bind(stored);
  }

  const CopyTilesSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  CopyInterleaver tile_;
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
  StridedWalk rows_;
  StridedWalk columns_;
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
                      half_lines ? "_half" : "", few_columns ? "_few" : "");
}

Hash128 CopyTilesSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(element_bytes);
  hasher.UpdateString(ShapeName(shape));
  hasher.UpdateInt(wide);
  hasher.UpdateInt(half_lines);
  hasher.UpdateInt(few_columns);
  return hasher.Finish();
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

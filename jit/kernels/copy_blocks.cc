#include "jit/kernels/copy_blocks.h"

#include <algorithm>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
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

// A tile has halves of lines: with level avx512 too, since more rows at a time would displace each other.
constexpr int kLanes = 2;

// What a tile takes of a row at most.
constexpr int kMostPieces = 4;

// Columns that are written at a time, at most: as many as a tile has at least.
constexpr int kMostColumns = 4;

// The rows of one tile, where they are staged: 32 rows of bytes, or less.
constexpr int kStageBytes = 4096;

// Rows of the scratch memory are this much further apart than they are long, so that they lie in different sets.
constexpr int kPaddingBytes = kLineBytes;

bool IsRun(int bytes) {
  return bytes >= kLineBytes && bytes <= CopyBlocksSpec::kMaxRunBytes && (bytes & (bytes - 1)) == 0;
}

class CopyBlocksGenerator {
 public:
  CopyBlocksGenerator(const CopyBlocksSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        tile_(code, frame_, spec.element_bytes, kLanes,
              CopyInterleaver::PiecesAtOnce(spec.element_bytes, kMostPieces, code.isa())),
        pitch_(spec.destination_run_bytes + kPaddingBytes),
        tiles_each_(std::max(1, spec.BlockRows() / (tile_.rows() * tile_.columns()))),
        overlaps_(spec.BlockColumns() % (tiles_each_ * tile_.columns()) == 0 &&
                  tiles_each_ * tile_.columns() * tile_.vector_bytes() % spec.source_run_bytes == 0 &&
                  2 * spec.ScratchBytes() + kStageBytes <= kCopyScratchBytes),
        row_stride_(code.regs().Gpr("row_stride")),
        row_stride3_(code.regs().Gpr("row_stride3")),
        column_stride_(code.regs().Gpr("column_stride")),
        rows_here_(code.regs().Gpr("rows_here")),
        columns_here_(code.regs().Gpr("columns_here")),
        from_(code.regs().Gpr("from")),
        to_(code.regs().Gpr("to")),
        near_from_(code.regs().Gpr("near_from")),
        near_to_(code.regs().Gpr("near_to")),
        left_(code.regs().Gpr("left")),
        near_left_(code.regs().Gpr("near_left")),
        next_(code.regs().Gpr("next")),
        row_(frame_.Slot(8, "row")),
        column_(frame_.Slot(8, "column")),
        plane_source_(frame_.Slot(8, "plane_source")),
        plane_destination_(frame_.Slot(8, "plane_destination")),
        planes_(frame_.Slot(8, "planes")),
        scratch_(frame_.Slot(8, "scratch")),
        other_scratch_(frame_.Slot(8, "other_scratch")),
        stage_(frame_.Slot(8, "stage")),
        kept_(frame_.Slot(8, "kept")),
        kept_rows_(frame_.Slot(8, "kept_rows")),
        kept_columns_(frame_.Slot(8, "kept_columns")),
        rows_(code, row_stride_, row_stride3_) {}

  void Emit() {
    Label plane;
    frame_.Load(row_stride_, BURIN_ARG_FIELD(CopyArgs, source_stride0));
    frame_.Load(column_stride_, BURIN_ARG_FIELD(CopyArgs, destination_stride1));
    code_.lea(row_stride3_, ptr[row_stride_ + row_stride_ * 2]);
    frame_.Load(from_, BURIN_ARG_FIELD(CopyArgs, source));
    code_.mov(plane_source_.At(), from_);
    frame_.Load(to_, BURIN_ARG_FIELD(CopyArgs, destination));
    code_.mov(plane_destination_.At(), to_);
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, extent2));
    code_.mov(planes_.At(), left_);
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, scratch));
    code_.mov(scratch_.At(), left_);
    code_.add(left_, static_cast<int>(spec_.ScratchBytes()));
    code_.mov(other_scratch_.At(), left_);
    code_.add(left_, static_cast<int>(spec_.ScratchBytes()));
    code_.mov(stage_.At(), left_);
    code_.xor_(left_.cvt32(), left_.cvt32());
    code_.mov(kept_columns_.At(), left_);
    code_.Bind(plane);
    EmitBlockLoop(row_, rows_here_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, extent0)), spec_.BlockRows(), tile_.rows(),
                  [&] {
                    EmitBlockLoop(column_, columns_here_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, extent1)),
                                  spec_.BlockColumns(), tile_.columns(), [&] { EmitBlock(); });
                  });
    frame_.Load(from_, BURIN_ARG_FIELD(CopyArgs, source_stride2));
    code_.add(plane_source_.At(), from_);
    frame_.Load(to_, BURIN_ARG_FIELD(CopyArgs, destination_stride2));
    code_.add(plane_destination_.At(), to_);
    code_.mov(left_, planes_.At());
    code_.dec(left_);
    code_.mov(planes_.At(), left_);
    code_.jnz(plane);
    if (overlaps_) EmitWrite();
    frame_.Finish();
  }

 private:
  static int ShiftOf(int power_of_two) {
    int shift = 0;
    while ((1 << shift) < power_of_two) ++shift;
    return shift;
  }

  // Emits a loop in steps of `step` up to `extent`, which is no less. `here` is what a step has: in the last one all
  // that is left, and before that as much as makes it a multiple of `unit`.
  void EmitBlockLoop(const StackSlot& index, const Reg64& here, const Address& extent, int step, int unit,
                     absl::FunctionRef<void()> body) {
    Label next;
    Label whole;
    code_.mov(here.cvt32(), 0);
    code_.mov(index.At(), here);
    code_.Bind(next);
    code_.mov(left_, extent);
    code_.mov(here, left_);
    code_.sub(here, index.At());
    code_.mov(next_.cvt32(), step);
    code_.cmp(here, next_);
    code_.cmovg(here, next_);
    code_.jg(whole);
    code_.add(here, unit - 1);
    code_.and_(here, -unit);
    code_.sub(left_, here);
    code_.mov(index.At(), left_);
    code_.Bind(whole);
    body();
    code_.mov(left_, here);
    code_.add(left_, index.At());
    code_.mov(index.At(), left_);
    code_.cmp(left_, extent);
    code_.jl(next);
  }

  void EmitScale(const Reg64& count) {
    if (spec_.element_bytes > 1) code_.shl(count, ShiftOf(spec_.element_bytes));
  }

  void EmitBlock() {
    if (!overlaps_) {
      EmitFrom();
      EmitNext();
      EmitTranspose();
      EmitKeep();
      return EmitWrite();
    }
    // The block before is written while this one is transposed where both are whole.
    Label apart;
    Label done;
    code_.cmp(rows_here_, spec_.BlockRows());
    code_.jne(apart);
    code_.cmp(columns_here_, spec_.BlockColumns());
    code_.jne(apart);
    code_.cmp(rows_here_, kept_rows_.At());
    code_.jne(apart);
    code_.cmp(columns_here_, kept_columns_.At());
    code_.jne(apart);
    if (spec_.nontemporal) EmitUnlessAligned(apart);
    EmitFrom();
    EmitNext();
    EmitTransposeAndWrite();
    code_.jmp(done);
    code_.Bind(apart);
    EmitWriteIfAny();
    EmitFrom();
    EmitTranspose();
    code_.Bind(done);
    EmitKeep();
    code_.mov(left_, scratch_.At());
    code_.mov(to_, other_scratch_.At());
    code_.mov(scratch_.At(), to_);
    code_.mov(other_scratch_.At(), left_);
  }

  // Sets from_ to where the block begins.
  void EmitFrom() {
    code_.mov(from_, row_.At());
    code_.imul(from_, row_stride_);
    code_.add(from_, plane_source_.At());
    code_.mov(left_, column_.At());
    EmitScale(left_);
    code_.add(from_, left_);
  }

  // Notes where the block that is in scratch memory belongs.
  void EmitKeep() {
    code_.mov(to_, column_.At());
    code_.imul(to_, column_stride_);
    code_.add(to_, plane_destination_.At());
    code_.mov(left_, row_.At());
    EmitScale(left_);
    code_.add(to_, left_);
    code_.mov(kept_.At(), to_);
    code_.mov(kept_rows_.At(), rows_here_);
    code_.mov(kept_columns_.At(), columns_here_);
  }

  // Sets next_ to where the next block of the source begins: beside this one, else at the row behind it.
  void EmitNext() {
    Label beside;
    code_.mov(next_, columns_here_);
    code_.mov(left_, next_);
    EmitScale(next_);
    code_.add(next_, from_);
    code_.add(left_, column_.At());
    code_.cmp(left_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, extent1)));
    code_.jl(beside);
    code_.mov(next_, row_.At());
    code_.add(next_, rows_here_);
    code_.imul(next_, row_stride_);
    code_.add(next_, plane_source_.At());
    code_.Bind(beside);
  }

  // Transposes the block at from_ into scratch memory.
  void EmitTranspose() {
    code_.mov(to_, scratch_.At());
    code_.mov(left_, rows_here_);
    EmitTiles(columns_here_, 1, false, [] {});
  }

  // Transposes the block at from_, writes the one before, and brings the one behind closer: some columns and rows after
  // each few tiles.
  void EmitTransposeAndWrite() {
    // These are what every whole block has, and are set again in the end.
    const Reg64& write_from = columns_here_;
    const Reg64& write_to = rows_here_;
    const int columns_each = tiles_each_ * tile_.rows() * tile_.columns() / spec_.BlockRows();
    const int rows_each = tiles_each_ * tile_.columns() * tile_.vector_bytes() / spec_.source_run_bytes;
    code_.mov(to_, scratch_.At());
    code_.mov(write_from, other_scratch_.At());
    code_.mov(write_to, kept_.At());
    code_.mov(left_.cvt32(), spec_.BlockRows());
    EmitTiles(spec_.BlockColumns(), tiles_each_, spec_.staged_rows, [&] {
      EmitRuns(write_from, write_to, columns_each, spec_.nontemporal);
      EmitPrefetch(rows_each);
    });
    code_.mov(rows_here_.cvt32(), spec_.BlockRows());
    code_.mov(columns_here_.cvt32(), spec_.BlockColumns());
  }

  // Transposes left_ rows and `columns_here` columns, a register or a number, from from_ to the scratch memory at to_;
  // `beside` emits what is done after each `count` tiles. Rows of whole blocks may be staged.
  template <class Columns>
  void EmitTiles(const Columns& columns_here, int count, bool staged, absl::FunctionRef<void()> beside) {
    Label rows;
    Label columns;
    code_.Bind(rows);
    if (staged) {
      EmitStage();
    } else {
      code_.mov(near_from_, from_);
    }
    code_.mov(near_to_, to_);
    code_.mov(near_left_, columns_here);
    code_.Align(32);
    code_.Bind(columns);
    for (int i = 0; i < count; ++i) {
      const GprReg walk = code_.regs().Gpr("walk");
      rows_.Start(near_from_, walk);
      tile_.EmitTile([&](int row) { return staged ? near_from_ + row * spec_.source_run_bytes : rows_.At(row); },
                     [&](int column) { return near_to_ + column * pitch_; });
      code_.add(near_from_, tile_.columns() * spec_.element_bytes);
      code_.add(near_to_, tile_.columns() * pitch_);
    }
    beside();
    code_.sub(near_left_, count * tile_.columns());
    code_.jg(columns);
    code_.mov(near_from_, row_stride_);
    code_.shl(near_from_, ShiftOf(tile_.rows()));
    code_.add(from_, near_from_);
    code_.add(to_, tile_.vector_bytes());
    code_.sub(left_, tile_.rows());
    code_.jg(rows);
  }

  // Copies the rows of a tile at from_, as long as a block's, into scratch memory, and sets near_from_ to that.
  void EmitStage() {
    constexpr int kUnrolled = 4;
    const int step = code_.regs().vector_bits() / 8;
    Label next;
    code_.mov(near_from_, from_);
    code_.mov(near_to_, stage_.At());
    code_.mov(near_left_.cvt32(), tile_.rows());
    code_.Align(32);
    code_.Bind(next);
    rows_.Start(near_from_, near_from_);
    for (int row = 0; row < kUnrolled; ++row) {
      const Xbyak::RegExp from = rows_.At(row);
      for (int offset = 0; offset < spec_.source_run_bytes; offset += step) {
        const Xmm vec = Sized(offset / step % 2, step);
        code_.vmovups(vec, ptr[from + offset]);
        code_.vmovups(ptr[near_to_ + (row * spec_.source_run_bytes + offset)], vec);
      }
    }
    code_.lea(near_from_, ptr[near_from_ + row_stride_ * 4]);
    code_.add(near_to_, kUnrolled * spec_.source_run_bytes);
    code_.sub(near_left_, kUnrolled);
    code_.jg(next);
    code_.mov(near_from_, stage_.At());
  }

  // Jumps where the lines of the block in scratch memory are not aligned in the destination.
  void EmitUnlessAligned(const Label& target) {
    code_.mov(near_to_, kept_.At());
    code_.or_(near_to_, column_stride_);
    code_.test(near_to_.cvt32(), kLineBytes - 1);
    code_.jnz(target);
  }

  void EmitWriteIfAny() {
    Label none;
    code_.mov(left_, kept_columns_.At());
    code_.test(left_, left_);
    code_.jz(none);
    EmitWrite();
    code_.Bind(none);
  }

  // Writes the block that is in scratch memory.
  void EmitWrite() {
    Label done;
    Label part;
    Label cached;
    code_.mov(from_, overlaps_ ? other_scratch_.At() : scratch_.At());
    code_.mov(to_, kept_.At());
    code_.mov(left_, kept_rows_.At());
    code_.cmp(left_, spec_.BlockRows());
    code_.mov(left_, kept_columns_.At());
    code_.jl(part);
    if (spec_.nontemporal) {
      EmitUnlessAligned(cached);
      EmitWholeRuns(true);
      code_.jmp(done);
      code_.Bind(cached);
    }
    EmitWholeRuns(false);
    code_.jmp(done);
    code_.Bind(part);
    EmitShortRuns();
    code_.Bind(done);
  }

  // Writes left_ runs of full length from from_ to to_. Where blocks are written one by one, brings as much of the next
  // one closer.
  void EmitWholeRuns(bool nontemporal) {
    const int columns = std::max(1, spec_.source_run_bytes / spec_.destination_run_bytes);
    Label next;
    code_.Align(32);
    code_.Bind(next);
    if (!overlaps_) EmitPrefetch(std::max(1, spec_.destination_run_bytes / spec_.source_run_bytes));
    EmitRuns(from_, to_, columns, nontemporal);
    code_.sub(left_, columns);
    code_.jg(next);
  }

  // Writes `columns` runs, and goes on to the next ones.
  void EmitRuns(const Reg64& from, const Reg64& to, int columns, bool nontemporal) {
    const int step = code_.regs().vector_bits() / 8;
    for (int column = 0; column < columns; ++column) {
      for (int offset = 0; offset < spec_.destination_run_bytes; offset += step) {
        const Xmm vec = Sized(offset / step % 2, step);
        code_.vmovups(vec, ptr[from + column * pitch_ + offset]);
        if (nontemporal) {
          code_.vmovntps(ptr[to + offset], vec);
        } else {
          code_.vmovups(ptr[to + offset], vec);
        }
      }
      code_.add(to, column_stride_);
    }
    code_.add(from, columns * pitch_);
  }

  // Brings `rows` rows of the next block closer, and goes on to those behind.
  void EmitPrefetch(int rows) {
    for (int row = 0; row < rows; ++row) {
      for (int offset = 0; offset < spec_.source_run_bytes; offset += kLineBytes) {
        code_.prefetcht1(ptr[next_ + offset]);
      }
      code_.add(next_, row_stride_);
    }
  }

  // Writes runs of the last block of a column, which is shorter.
  void EmitShortRuns() {
    Label next;
    Label more;
    const int step = tile_.vector_bytes();
    code_.Bind(next);
    code_.mov(near_left_, kept_rows_.At());
    code_.mov(near_from_, from_);
    code_.mov(near_to_, to_);
    code_.Bind(more);
    const Xmm vec = Sized(0, step);
    code_.vmovups(vec, ptr[near_from_]);
    code_.vmovups(ptr[near_to_], vec);
    code_.add(near_from_, step);
    code_.add(near_to_, step);
    code_.sub(near_left_, tile_.rows());
    code_.jg(more);
    code_.add(from_, pitch_);
    code_.add(to_, column_stride_);
    code_.dec(left_);
    code_.jnz(next);
  }

  Xmm Sized(int number, int bytes) const {
    const Xmm& vec = tile_.value(number);
    return bytes == 64 ? Xmm(AsZmm(vec)) : Xmm(AsYmm(vec));
  }

  const CopyBlocksSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  CopyInterleaver tile_;
  // Bytes from run to run of the scratch memory.
  const int pitch_;
  // Tiles that are transposed while one column is written, or more.
  const int tiles_each_;
  // Whether a block is written while the next one is transposed, for which scratch memory has room for two.
  const bool overlaps_;
  GprReg row_stride_;
  GprReg row_stride3_;
  GprReg column_stride_;
  GprReg rows_here_;
  GprReg columns_here_;
  GprReg from_;
  GprReg to_;
  GprReg near_from_;
  GprReg near_to_;
  GprReg left_;
  GprReg near_left_;
  GprReg next_;
  StackSlot row_;
  StackSlot column_;
  StackSlot plane_source_;
  StackSlot plane_destination_;
  StackSlot planes_;
  StackSlot scratch_;
  // The half of the scratch memory that has the block before.
  StackSlot other_scratch_;
  // Behind both: rows of tiles.
  StackSlot stage_;
  // Where the block in scratch memory belongs, and how much it has; no columns at first.
  StackSlot kept_;
  StackSlot kept_rows_;
  StackSlot kept_columns_;
  StridedWalk rows_;
};

}  // namespace

int64_t CopyBlocksSpec::ScratchBytes() const {
  return int64_t{BlockColumns()} * (destination_run_bytes + kPaddingBytes);
}

std::string CopyBlocksSpec::Name() const {
  return absl::StrCat("transpose_", element_bytes, "_blocks_", destination_run_bytes, "x", source_run_bytes,
                      staged_rows ? "_staged" : "", nontemporal ? "_nt" : "");
}

Hash128 CopyBlocksSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(element_bytes);
  hasher.UpdateInt(source_run_bytes);
  hasher.UpdateInt(destination_run_bytes);
  hasher.UpdateInt(staged_rows);
  hasher.UpdateInt(nontemporal);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateCopyBlocks(const CopyBlocksSpec& spec, const IsaSet& isa) {
  if (!IsRun(spec.source_run_bytes) || !IsRun(spec.destination_run_bytes) ||
      spec.source_run_bytes > kMostColumns * spec.destination_run_bytes || spec.ScratchBytes() > kCopyScratchBytes ||
      (spec.staged_rows && (spec.element_bytes > 2 || spec.source_run_bytes > 128))) {
    return absl::InternalError(absl::StrCat("A transpose has no such blocks: ", spec.Name()));
  }
  Assembler code(spec.Name(), isa);
  {
    CopyBlocksGenerator generator(spec, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit

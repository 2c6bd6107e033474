#include "jit/kernels/copy_blocks.h"

#include <algorithm>
#include <utility>
#include <vector>

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

constexpr int kPieceBytes = CopyInterleaver::kPieceBytes;

bool IsRun(int bytes) {
  return bytes >= kLineBytes && bytes <= CopyBlocksSpec::kMaxRunBytes && (bytes & (bytes - 1)) == 0;
}

int ShiftOf(int power_of_two) {
  int shift = 0;
  while ((1 << shift) < power_of_two) ++shift;
  return shift;
}

// A vector of the source has `lanes` pieces. Of as many rows as a piece has elements, it is interleaved into as many
// chunks, each of which has one piece of `lanes` columns: those that are `size` apart. In the scratch memory chunks of
// the same columns follow each other, so that a vector of the destination is a piece of each of `lanes` neighbours.
class CopyBlocksGenerator {
 public:
  CopyBlocksGenerator(const CopyBlocksSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        lanes_(code.regs().vector_bits() / 8 / kPieceBytes),
        tile_(code, frame_, spec.element_bytes, lanes_, 1),
        vector_bytes_(tile_.vector_bytes()),
        size_(tile_.columns()),
        chunks_(spec.destination_run_bytes / kPieceBytes),
        vectors_(spec.source_run_bytes / vector_bytes_),
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
        kept_(frame_.Slot(8, "kept")),
        kept_run_(frame_.Slot(8, "kept_run")),
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
    code_.xor_(left_.cvt32(), left_.cvt32());
    code_.mov(kept_columns_.At(), left_);
    code_.Bind(plane);
    EmitBlockLoop(row_, rows_here_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, extent0)), spec_.BlockRows(), [&] {
      EmitBlockLoop(column_, columns_here_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, extent1)), spec_.BlockColumns(),
                    [&] { EmitBlock(); });
    });
    frame_.Load(from_, BURIN_ARG_FIELD(CopyArgs, source_stride2));
    code_.add(plane_source_.At(), from_);
    frame_.Load(to_, BURIN_ARG_FIELD(CopyArgs, destination_stride2));
    code_.add(plane_destination_.At(), to_);
    code_.mov(left_, planes_.At());
    code_.dec(left_);
    code_.mov(planes_.At(), left_);
    code_.jnz(plane);
    EmitWrite();
    frame_.Finish();
  }

 private:
  // Returns the rows and columns of which those of a block are multiples: a vector's.
  int Unit() const { return lanes_ * size_; }

  // Emits a loop in steps of `step` up to `extent`, which is no less. `here` is what a step has: in the last one all
  // that is left, and before that as much as makes it a multiple of Unit().
  void EmitBlockLoop(const StackSlot& index, const Reg64& here, const Address& extent, int step,
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
    code_.add(here, Unit() - 1);
    code_.and_(here, -Unit());
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

  // Multiplies `count` elements by their bytes.
  void EmitScale(const Reg64& count) {
    if (spec_.element_bytes > 1) code_.shl(count, ShiftOf(spec_.element_bytes));
  }

  // Reads a block. The one before is written meanwhile where both are whole.
  void EmitBlock() {
    Label apart;
    Label done;
    code_.cmp(rows_here_, spec_.BlockRows());
    code_.jne(apart);
    code_.cmp(columns_here_, spec_.BlockColumns());
    code_.jne(apart);
    code_.mov(left_, kept_run_.At());
    code_.cmp(left_, spec_.destination_run_bytes);
    code_.jne(apart);
    code_.cmp(columns_here_, kept_columns_.At());
    code_.jne(apart);
    if (spec_.nontemporal) EmitUnlessAligned(apart);
    EmitFrom();
    EmitNext();
    EmitReadAndWrite();
    code_.jmp(done);
    code_.Bind(apart);
    EmitWriteIfAny();
    EmitFrom();
    EmitRead();
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
    code_.mov(left_, rows_here_);
    EmitScale(left_);
    code_.mov(kept_run_.At(), left_);
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

  // Reads a vector each of a piece's rows at `from` + `offset`, and writes its chunks to `to`; `walk` is overwritten.
  void EmitChunks(const Reg64& from, int offset, const Reg64& walk, const Xbyak::RegExp& to) {
    rows_.Start(from, walk);
    for (int k = 0; k < size_; ++k) tile_.EmitLoad(k, ptr[rows_.At(k) + offset]);
    const std::vector<Xmm> chunks = tile_.EmitRounds(size_);
    for (int k = 0; k < size_; ++k) code_.vmovups(ptr[to + k * ChunkRowBytes()], Whole(chunks[k]));
  }

  // Moves `from` on by the rows of a piece.
  void EmitNextRows(const Reg64& from) {
    constexpr int kMost = 8;
    for (int rows = size_; rows > 0; rows -= kMost) {
      code_.lea(from, ptr[from + row_stride_ * std::min(rows, kMost)]);
    }
  }

  // Writes vector `number` of a column, of which pieces are at `from`, to `to`.
  void EmitVector(int number, const Xbyak::RegExp& from, const Xbyak::RegExp& to, bool nontemporal) {
    const Xmm& vec = tile_.value(number % 2);
    code_.vmovups(AsXmm(vec), ptr[from]);
    for (int lane = 1; lane < lanes_; ++lane) {
      if (lanes_ == 4) {
        code_.vinserti32x4(AsZmm(vec), AsZmm(vec), ptr[from + lane * vector_bytes_], lane);
      } else {
        code_.vinserti128(AsYmm(vec), AsYmm(vec), ptr[from + lane * vector_bytes_], lane);
      }
    }
    if (nontemporal) {
      code_.vmovntps(ptr[to], Whole(vec));
    } else {
      code_.vmovups(ptr[to], Whole(vec));
    }
  }

  // Reads the block at from_, writes the one before, and brings the one behind closer: some of each after the other.
  void EmitReadAndWrite() {
    // These are what every whole block has, and are set again in the end.
    const Reg64& write_from = columns_here_;
    const Reg64& write_to = rows_here_;
    const Reg64& lane_stride = near_left_;
    const int steps = std::min(chunks_, vectors_ * size_);
    const int chunks_each = chunks_ / steps;
    const int chunk_rows_each = vectors_ * size_ / steps;
    const int columns_each = chunk_rows_each * lanes_;
    Label next;
    code_.mov(to_, scratch_.At());
    code_.mov(write_from, other_scratch_.At());
    code_.mov(write_to, kept_.At());
    code_.mov(left_.cvt32(), steps);
    EmitLaneStride(lane_stride);
    code_.Align(32);
    code_.Bind(next);
    int column = 0;
    for (int chunk = 0; chunk < chunks_each; ++chunk) {
      for (int vector = 0; vector < vectors_; ++vector) {
        EmitChunks(from_, vector * vector_bytes_, near_from_,
                   to_ + (vector * size_ * ChunkRowBytes() + chunk * vector_bytes_));
        const int read = chunk * vectors_ + vector + 1;
        for (; column < columns_each * read / (chunks_each * vectors_); ++column) {
          EmitWholeColumn(column, write_from, write_to, lane_stride);
        }
      }
      EmitNextRows(from_);
      EmitPrefetch(size_);
    }
    code_.add(to_, chunks_each * vector_bytes_);
    code_.add(write_from, chunk_rows_each * ChunkRowBytes());
    code_.dec(left_);
    if (chunk_rows_each < size_) {
      code_.test(left_.cvt32(), size_ / chunk_rows_each - 1);
      code_.jnz(next);
      EmitNextVector(write_to, lane_stride);
      code_.test(left_, left_);
    }
    code_.jnz(next);
    code_.mov(rows_here_.cvt32(), spec_.BlockRows());
    code_.mov(columns_here_.cvt32(), spec_.BlockColumns());
  }

  // Sets `stride` to the distance of what the lanes of a chunk are in the destination.
  void EmitLaneStride(const Reg64& stride) {
    code_.mov(stride, column_stride_);
    if (size_ > 1) code_.shl(stride, ShiftOf(size_));
  }

  // Moves `to` on from the columns of the first lane of one vector to those of the next one, past the other lanes'.
  void EmitNextVector(const Reg64& to, const Reg64& lane_stride) {
    for (int lane = 1; lane < lanes_; ++lane) code_.add(to, lane_stride);
  }

  // Writes a column of a whole block. They are numbered by rows of chunks, behind each of which `to` goes on, and
  // lanes.
  void EmitWholeColumn(int number, const Reg64& from, const Reg64& to, const Reg64& lane_stride) {
    const int lane = number % lanes_;
    const int chunk_row = number / lanes_;
    if (lane == 0) code_.mov(near_to_, to);
    const int offset = chunk_row * ChunkRowBytes() + lane * kPieceBytes;
    for (int i = 0; i < chunks_ / lanes_; ++i) {
      EmitVector(i, from + (offset + i * lanes_ * vector_bytes_), near_to_ + i * vector_bytes_, spec_.nontemporal);
    }
    if (lane + 1 < lanes_) {
      code_.add(near_to_, lane_stride);
    } else {
      code_.add(to, column_stride_);
      if ((chunk_row + 1) % size_ == 0) EmitNextVector(to, lane_stride);
    }
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

  // Reads the block at from_ into scratch memory.
  void EmitRead() {
    Label rows;
    Label columns;
    const GprReg walk = code_.regs().Gpr("walk");
    code_.mov(to_, scratch_.At());
    code_.mov(left_, rows_here_);
    code_.Bind(rows);
    code_.mov(near_from_, from_);
    code_.mov(near_to_, to_);
    code_.mov(near_left_, columns_here_);
    code_.Align(32);
    code_.Bind(columns);
    EmitChunks(near_from_, 0, walk, near_to_ + 0);
    code_.add(near_from_, vector_bytes_);
    code_.add(near_to_, size_ * ChunkRowBytes());
    code_.sub(near_left_, Unit());
    code_.jg(columns);
    EmitNextRows(from_);
    code_.add(to_, vector_bytes_);
    code_.sub(left_, size_);
    code_.jg(rows);
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
    Label vector;
    Label done;
    Label cached;
    code_.mov(from_, other_scratch_.At());
    code_.mov(to_, kept_.At());
    code_.mov(left_, kept_columns_.At());
    EmitLaneStride(next_);
    code_.Bind(vector);
    if (spec_.nontemporal) {
      EmitUnlessAligned(cached);
      EmitColumns(true);
      code_.jmp(done);
      code_.Bind(cached);
    }
    EmitColumns(false);
    code_.Bind(done);
    // The columns of the other lanes are written.
    EmitNextVector(to_, next_);
    code_.sub(left_, Unit());
    code_.jg(vector);
  }

  // Writes the columns at to_ whose chunks are at from_, of one vector of the source, and goes on to the next ones:
  // next_ is the distance of lanes.
  void EmitColumns(bool nontemporal) {
    const GprReg written = code_.regs().Gpr("written");
    Label chunk_row;
    code_.mov(near_left_.cvt32(), size_);
    code_.Bind(chunk_row);
    code_.mov(near_to_, to_);
    for (int lane = 0; lane < lanes_; ++lane) {
      Label vector;
      code_.lea(near_from_, ptr[from_ + lane * kPieceBytes]);
      code_.xor_(written.cvt32(), written.cvt32());
      code_.Bind(vector);
      EmitVector(0, near_from_ + written * lanes_, near_to_ + written, nontemporal);
      code_.add(written, vector_bytes_);
      code_.cmp(written, kept_run_.At());
      code_.jl(vector);
      code_.add(near_to_, next_);
    }
    code_.add(from_, ChunkRowBytes());
    code_.add(to_, column_stride_);
    code_.dec(near_left_);
    code_.jnz(chunk_row);
  }

  Xmm Whole(const Xmm& vec) const { return lanes_ == 4 ? Xmm(AsZmm(vec)) : Xmm(AsYmm(vec)); }

  // Returns the bytes of all chunks of the same columns.
  int ChunkRowBytes() const { return chunks_ * vector_bytes_; }

  const CopyBlocksSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  // Pieces of a vector.
  const int lanes_;
  CopyInterleaver tile_;
  const int vector_bytes_;
  // Elements of a piece.
  const int size_;
  // Of a whole block: chunks of the same columns, and vectors of a row.
  const int chunks_;
  const int vectors_;
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
  // Where the block in scratch memory belongs, and how much it has: bytes of a run, and columns; none at first.
  StackSlot kept_;
  StackSlot kept_run_;
  StackSlot kept_columns_;
  StridedWalk rows_;
};

}  // namespace

int64_t CopyBlocksSpec::ScratchBytes() const { return int64_t{BlockColumns()} * destination_run_bytes; }

std::string CopyBlocksSpec::Name() const {
  return absl::StrCat("transpose_", element_bytes, "_blocks_", destination_run_bytes, "x", source_run_bytes,
                      nontemporal ? "_nt" : "");
}

Hash128 CopyBlocksSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(element_bytes);
  hasher.UpdateInt(source_run_bytes);
  hasher.UpdateInt(destination_run_bytes);
  hasher.UpdateInt(nontemporal);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateCopyBlocks(const CopyBlocksSpec& spec, const IsaSet& isa) {
  if (!IsRun(spec.source_run_bytes) || !IsRun(spec.destination_run_bytes) ||
      2 * spec.ScratchBytes() > kCopyScratchBytes) {
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

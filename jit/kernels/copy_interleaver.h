// Emits the transposition of one tile of elements through vector registers.
//
// Use it inside generators of copy kernels. Instructions interleave within 16 bytes, the pieces of a row: a tile is
// `lanes` x `size` rows, of which row lane * size + k is in lane `lane` of value k, and some pieces of 16 bytes wide.
// Interleaving the halves of a list of `size` values rotates the bits of an element's place in the list by one; after
// log2(size) times rows and columns of each lane have changed places. Belongs to one Assembler and its thread.
#ifndef BURIN_JIT_KERNELS_COPY_INTERLEAVER_H_
#define BURIN_JIT_KERNELS_COPY_INTERLEAVER_H_

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"

namespace burin::jit {

class CopyInterleaver {
 public:
  // Is what is interleaved of a row at a time.
  static constexpr int kPieceBytes = 16;

  // Returns how many pieces of each row, of at most `most`, a power of two, a tile can take at a time on a machine with
  // `isa`: all values of a tile are in registers at once, with one to spare.
  static int PiecesAtOnce(int element_bytes, int most, const IsaSet& isa);

  // Takes registers, and a slot of `frame` where one register is wanting; both live longer. `lanes` is 1, 2 or 4, the
  // latter with level avx512; `pieces` is at most PiecesAtOnce().
  CopyInterleaver(Assembler& code, AbiFrame& frame, int element_bytes, int lanes, int pieces);

  // Return the extents of a tile in elements.
  int rows() const { return lanes_ * size_; }
  int columns() const { return pieces_ * size_; }

  // Returns the bytes of a column of a tile: of a vector.
  int vector_bytes() const { return lanes_ * kPieceBytes; }

  // Loads a tile from where `row` says, transposes it and writes it to where `column` says; both are called once for
  // each number, in ascending order.
  void EmitTile(absl::FunctionRef<Xbyak::RegExp(int number)> row, absl::FunctionRef<Xbyak::RegExp(int number)> column);

  // Returns the register that row `number` of a tile of one lane and piece is loaded to before EmitRounds().
  const Xmm& value(int number) const { return vecs_[number]; }

  // Loads the whole vector of value `number` of a tile of one piece. Numbers ascend.
  void EmitLoad(int number, const Address& address);

  // Transposes those in place, and returns the registers that hold the columns, of which the first `columns` are
  // wanted.
  std::vector<Xmm> EmitRounds(int columns);

 private:
  Xmm Whole(int vec) const;
  bool Spills(int value) const { return slot_.has_value() && value == size_ - 1; }
  void EmitLoadLane(int value, int lane, const Address& address);
  void EmitUnpack(bool high, const Xmm& to, const Xmm& low_part, const Operand& high_part);
  // Returns which values are wanted before each round, and after the last, where `columns` columns are wanted in the
  // end.
  std::vector<std::vector<bool>> WantedValues(int columns) const;
  // Returns whether rows are loaded by vectors of two lanes, of which two rows then exchange lanes: half as many loads,
  // and no more work for what interleaves.
  bool LoadsWholeVectors() const { return lanes_ == 2 && pieces_ % 2 == 0; }
  void EmitTileOfVectors(absl::FunctionRef<Xbyak::RegExp(int number)> row,
                         absl::FunctionRef<Xbyak::RegExp(int number)> column);
  // Join the low lanes and the high lanes of two vectors.
  void EmitJoinLow(int to, int first, int second);
  void EmitJoinHigh(int to, int first, int second);
  void EmitStoreColumns(int piece, const std::vector<int>& columns,
                        absl::FunctionRef<Xbyak::RegExp(int number)> column);
  // Transposes the values of one piece; returns the registers that hold the columns. `spare` is a free register, and
  // becomes another one.
  std::vector<int> EmitPiece(std::vector<int> values, int columns, int& spare);

  Assembler& code_;
  const int element_bytes_;
  // Elements of a piece, which are also the values of a lane.
  const int size_;
  const int lanes_;
  const int pieces_;
  std::vector<VecReg> vecs_;
  // Holds the last value where there is no register to spare.
  std::optional<StackSlot> slot_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_INTERLEAVER_H_

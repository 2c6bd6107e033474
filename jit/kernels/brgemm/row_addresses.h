// Addresses the rows of a tile, which lie at fixed distances or at multiples of a stride known at run time only.
//
// Use it in generators of kernels that go through several rows at once. With a stride, one pointer and three multiples
// of the stride (1, 3 and 5) reach seven rows by scaled indexes; further rows take a pointer for each seven. Emits to
// the frame's assembler; used by one thread.
#ifndef BURIN_JIT_KERNELS_BRGEMM_ROW_ADDRESSES_H_
#define BURIN_JIT_KERNELS_BRGEMM_ROW_ADDRESSES_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"

namespace burin::jit {

// Holds the registers.
class RowAddresses {
 public:
  // Addresses `rows` rows at these bytes from a base, or at multiples of the argument `stride` where there are no
  // `offsets`. Takes the registers, and loads what the strides need; the pointers are not set.
  RowAddresses(Assembler& code, AbiFrame& frame, absl::Span<const int64_t> offsets, int rows,
               const ArgField<int64_t>& stride, absl::string_view name);

  // Points to the base that an argument has.
  template <class T>
  void Point(const ArgField<T>& base) {
    frame_.Load(pointers_[0], base);
    SpreadPointers();
  }

  // Points to the base that memory holds.
  void Point(const Address& base) {
    code_.mov(pointers_[0], base);
    SpreadPointers();
  }

  // Moves by bytes, or by what a register or an 8-byte memory operand holds.
  void Advance(int64_t bytes);
  void Advance(const Operand& bytes);

  // Returns the address of `displacement` bytes from the start of a row: of a vector, or of an element to broadcast.
  Address At(int row, int64_t displacement) const;
  Address BroadcastAt(int row, int64_t displacement) const;

 private:
  // Rows that one pointer reaches.
  static constexpr int kRowsOfPointer = 7;

  using Expression = decltype(reg::rax + 0);

  // Sets the other pointers from the first.
  void SpreadPointers();
  Expression ExpressionAt(int row, int64_t displacement) const;

  Assembler& code_;
  AbiFrame& frame_;
  const std::vector<int64_t> offsets_;
  std::vector<GprReg> pointers_;
  // 1, 3 and 5 times the stride; fewer where the rows do not need them.
  std::vector<GprReg> strides_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_ROW_ADDRESSES_H_

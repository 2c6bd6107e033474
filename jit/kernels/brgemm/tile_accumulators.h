// Holds the accumulators of a product's tile, and emits how they start and how they get into C.
//
// Use it in the kernel's generator, around the sum; not where an epilogue stores (jit/kernels/brgemm/tile_epilogue.h).
// The mask of the columns of a last vector that is partial is here too, as loads of B may need it as C does. It is made
// when it is first wanted and given back when the caller says so: between start and stores the sum has more use for
// the register. The template exists for VecAvx2 and VecAvx512. Emits to the frame's assembler; used by one thread.
#ifndef BURIN_JIT_KERNELS_BRGEMM_TILE_ACCUMULATORS_H_
#define BURIN_JIT_KERNELS_BRGEMM_TILE_ACCUMULATORS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/brgemm/row_addresses.h"

namespace burin::jit {

template <class V>
class TileAccumulators {
 public:
  // Takes the registers. What it is given outlives it.
  TileAccumulators(const BrgemmSpec& spec, AbiFrame& frame, V& v);

  // Takes C to be where `base` says, which outlives it, in place of BrgemmArgs::c.
  void SetBase(const StackSlot& base) { base_ = &base; }

  // Returns the accumulator of a vector of a row.
  const VecReg& At(int row, int vector) const { return registers_[static_cast<size_t>(row * spec_.vectors + vector)]; }

  // Returns all of them, row by row; who takes them from there gives them back.
  std::vector<VecReg>& registers() { return registers_; }

  // Makes the mask where the last vector is partial, if there is not yet one.
  void MakeMask();

  // Gives the mask back, if there is one.
  void ReturnMask() { mask_.reset(); }

  // Returns whether the vector is partial and there is a mask.
  bool IsMasked(int vector) const { return mask_.has_value() && vector + 1 == spec_.vectors; }

  // Loads columns of `vector`, of B or of C: those that there are where it is masked, else all.
  void Load(const Xmm& to, int vector, const Address& from);

  // Returns the addresses of the rows of C, which point to its start.
  RowAddresses AddressC();

  // Emits the start: zeros or C. Where it is zeros and `stores_c`, C is fetched for writing if the spec says so. The
  // mask stays where B needs it.
  void EmitStart(bool stores_c);

  // Emits the store of one accumulator, for which a mask has been made; of all of them.
  void EmitStore(int row, int vector, const Address& to);
  void EmitStores();

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  // Calls access(row, vector, address) for each vector of C.
  void EachOfC(absl::FunctionRef<void(int row, int vector, const Address& address)> access);

  const BrgemmSpec& spec_;
  AbiFrame& frame_;
  V& v_;
  std::vector<VecReg> registers_;
  std::optional<typename V::MaskRegister> mask_;
  const StackSlot* base_ = nullptr;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_TILE_ACCUMULATORS_H_

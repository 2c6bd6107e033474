// Moves the operands of an epilogue between memory and registers.
//
// Use it in the emission of an epilogue (snippets/epilogue/epilogue.h), as what tells ElementwiseEmission where memory
// is: one vector of columns is taken at a time, and a group of rows. Emits to the vocabulary's assembler; used by one
// thread.
#ifndef BURIN_SNIPPETS_EPILOGUE_EPILOGUE_ACCESS_H_
#define BURIN_SNIPPETS_EPILOGUE_EPILOGUE_ACCESS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/convert/typed_load.h"
#include "jit/emitters/convert/typed_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"
#include "jit/kernels/epilogue_emitter.h"
#include "snippets/codegen/last_vector.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/lower.h"

namespace burin::snippets {

// Accesses operands. V is the vector vocabulary.
template <class V>
class EpilogueAccess {
 public:
  // Accesses the operands of `ir`; place_of[i] is the place of operand i among the tile's, or -1 for accumulators.
  EpilogueAccess(const LinearIr& ir, absl::Span<const int32_t> place_of, V& v, jit::AbiFrame& frame,
                 const jit::EpilogueTile& tile)
      : ir_(ir), place_of_(place_of), v_(v), code_(v.code()), frame_(frame), tile_(tile) {
    if (tile.last_columns.has_value()) last_.emplace(v, frame, *tile.last_columns);
    for (size_t i = 0; i < ir.operands.size(); ++i) FindOrigin(static_cast<int32_t>(i));
  }

  // Says which vector of columns follows, and which rows: none of them (0) for what rows share.
  void EnterColumns(int vector) { vector_ = vector; }
  void EnterRows(int first, int count) {
    first_row_ = first;
    rows_ = count;
  }

  // Returns how many vectors a value has here: one for each row, or one for all.
  int Vectors(AxisSet axes) const { return (axes & AxisBit(kTileRows)) != 0 ? rows_ : 1; }

  // Returns the vector registers that Load() and Store() of `vectors` vectors take beyond these.
  int Temporaries(int32_t i, int vectors) const {
    const ElementType type = operand(i).type;
    return type == ElementType::kF32 || type == ElementType::kI32 ? 1 : 2 * vectors + 2;
  }

  // Returns whether Store() changes the registers that it stores.
  bool StoreChanges(int32_t i, Lane from) const {
    return operand(i).type != (from == Lane::kFloat ? ElementType::kF32 : ElementType::kI32);
  }

  // Loads the rows from `first` of those that were entered on.
  void Load(int32_t i, int first, Lane as, const jit::VecGroup& to) {
    const bool as_float = as == Lane::kFloat;
    if (place_of_[static_cast<size_t>(i)] < 0) {
      for (int k = 0; k < to.size(); ++k) {
        v_.Copy(jit::VecGroup(to[k]), jit::VecGroup(tile_.accumulator(first_row_ + first + k, vector_)));
      }
      return;
    }
    EachRow(i, first, to.size(), [&](int k, const jit::Address& address) {
      if ((operand(i).axes & AxisBit(ir_.vector_axis)) == 0) {
        as_float ? jit::EmitBroadcastAsF32(v_, operand(i).type, to[k], address)
                 : jit::EmitBroadcastAsI32(v_, operand(i).type, to[k], address);
      } else {
        as_float ? jit::EmitLoadAsF32(v_, operand(i).type, jit::VecGroup(to[k]), address, Part())
                 : jit::EmitLoadAsI32(v_, operand(i).type, jit::VecGroup(to[k]), address, Part());
      }
    });
  }

  // Stores them, likewise. May change the registers.
  void Store(int32_t i, int first, Lane as, const jit::VecGroup& from) {
    const bool from_float = as == Lane::kFloat;
    const jit::StoreOptions options = jit::StoreOptions::Convert();
    EachRow(i, first, from.size(), [&](int k, const jit::Address& address) {
      from_float ? jit::EmitStoreF32As(v_, operand(i).type, address, jit::VecGroup(from[k]), options, Part())
                 : jit::EmitStoreI32As(v_, operand(i).type, address, jit::VecGroup(from[k]), options, Part());
    });
  }

 private:
  // Is where an operand is for the tile: the address of its first element, and the bytes from row to row.
  struct Origin {
    jit::StackSlot address;
    jit::StackSlot row_stride;
  };

  const LinearOperand& operand(int32_t i) const { return ir_.operands[static_cast<size_t>(i)]; }
  bool VariesByRow(int32_t i) const { return (operand(i).axes & AxisBit(kTileRows)) != 0; }

  jit::VecPart<V> Part() {
    const bool ends = last_.has_value() && vector_ + 1 == tile_.vectors;
    return ends ? last_->Part(v_) : jit::VecPart<V>();
  }

  // Computes the address of the tile's first element of an operand.
  void FindOrigin(int32_t i) {
    const int32_t place = place_of_[static_cast<size_t>(i)];
    origins_.emplace_back();
    if (place < 0) return;
    Origin origin = {frame_.Slot(8, "operand"), frame_.Slot(8, "row_stride")};
    const jit::GprReg address = code_.regs().Gpr("address");
    const jit::GprReg step = code_.regs().Gpr("step");
    const int bytes = static_cast<int>(BitWidth(operand(i).type) / 8);
    code_.mov(address, jit::ptr[tile_.places + place * kPlaceBytes]);
    if (VariesByRow(i)) {
      code_.mov(step, jit::ptr[tile_.places + place * kPlaceBytes + 8]);
      code_.mov(origin.row_stride.At(), step);
      code_.imul(step, tile_.row);
      code_.add(address, step);
    }
    if ((operand(i).axes & AxisBit(ir_.vector_axis)) != 0) {
      code_.lea(address, jit::ptr[address + tile_.column * bytes]);
    }
    code_.mov(origin.address.At(), address);
    origins_.back().emplace(std::move(origin));
  }

  // Calls access(k, address) for each of some rows.
  template <class Access>
  void EachRow(int32_t i, int first, int count, const Access& access) {
    const Origin& origin = *origins_[static_cast<size_t>(i)];
    const bool by_column = (operand(i).axes & AxisBit(ir_.vector_axis)) != 0;
    const int bytes = static_cast<int>(BitWidth(operand(i).type) / 8);
    const int displacement = by_column ? vector_ * V::kLanes * bytes : 0;
    const jit::GprReg address = code_.regs().Gpr("address");
    code_.mov(address, origin.address.At());
    if (VariesByRow(i) && first_row_ + first > 0) {
      const jit::GprReg step = code_.regs().Gpr("step");
      code_.imul(step, origin.row_stride.At(), first_row_ + first);
      code_.add(address, step);
    }
    for (int k = 0; k < count; ++k) {
      if (k > 0 && VariesByRow(i)) code_.add(address, origin.row_stride.At());
      access(k, jit::ptr[address + displacement]);
    }
  }

  static constexpr int kPlaceBytes = sizeof(jit::EpiloguePlace);
  static_assert(offsetof(jit::EpiloguePlace, data) == 0 && offsetof(jit::EpiloguePlace, row_stride) == 8,
                "the code reads places");

  const LinearIr& ir_;
  absl::Span<const int32_t> place_of_;
  V& v_;
  jit::Assembler& code_;
  jit::AbiFrame& frame_;
  const jit::EpilogueTile& tile_;
  std::optional<LastVector<V>> last_;
  std::vector<std::optional<Origin>> origins_;
  int vector_ = 0;
  int first_row_ = 0;
  int rows_ = 1;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_EPILOGUE_EPILOGUE_ACCESS_H_

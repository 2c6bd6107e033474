#include "jit/kernels/brgemm/epilogue_testlib.h"

#include <optional>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

template <class V>
class TileEmitter {
 public:
  TileEmitter(V& v, const EpilogueTile& tile)
      : v_(v),
        code_(v.code()),
        tile_(tile),
        address_(code_.regs().Gpr("address")),
        step_(code_.regs().Gpr("step")),
        value_(v.New("value")) {}

  void Emit() {
    if (tile_.last_columns.has_value()) {
      mask_.emplace(v_.NewMask("last"));
      v_.SetMaskFor(*mask_, *tile_.last_columns, step_);
    }
    for (int vector = 0; vector < tile_.vectors; ++vector) {
      for (int row = 0; row < tile_.rows; ++row) EmitVector(row, vector);
    }
  }

 private:
  void EmitVector(int row, int vector) {
    const Xmm accumulator = tile_.accumulator(row, vector);
    Load(vector, At(TestEpilogue::kBias, {}, vector));
    v_.Add(accumulator, accumulator, value_);
    v_.Zero(VecGroup(value_));
    v_.Max(accumulator, accumulator, value_);
    v_.Broadcast(value_, At(TestEpilogue::kScale, row, {}));
    v_.Mul(accumulator, accumulator, value_);
    Load(vector, At(TestEpilogue::kResidual, row, vector));
    v_.Add(accumulator, accumulator, value_);
    const Address to = At(TestEpilogue::kOutput, row, vector);
    if (Ends(vector)) {
      v_.StoreMasked(to, *mask_, accumulator);
    } else {
      v_.Store(to, accumulator);
    }
  }

  bool Ends(int vector) const { return mask_.has_value() && vector + 1 == tile_.vectors; }

  void Load(int vector, const Address& from) {
    if (Ends(vector)) {
      v_.LoadMasked(value_, *mask_, from);
    } else {
      v_.Load(value_, from);
    }
  }

  Address At(int place, std::optional<int> row, std::optional<int> vector) {
    constexpr int kPlaceBytes = sizeof(EpiloguePlace);
    code_.mov(address_, ptr[tile_.places + place * kPlaceBytes]);
    if (row.has_value()) {
      code_.lea(step_, ptr[tile_.row + *row]);
      code_.imul(step_, ptr[tile_.places + (place * kPlaceBytes + 8)]);
      code_.add(address_, step_);
    }
    if (vector.has_value()) code_.lea(address_, ptr[address_ + tile_.column * 4 + *vector * V::kBits / 8]);
    return ptr[address_];
  }

  V& v_;
  Assembler& code_;
  const EpilogueTile& tile_;
  GprReg address_;
  GprReg step_;
  VecReg value_;
  std::optional<typename V::MaskRegister> mask_;
};

}  // namespace

Hash128 TestEpilogue::content_key() const {
  Hasher hasher;
  hasher.UpdateString("TestEpilogue");
  hasher.UpdateInt(wanted_vectors_);
  hasher.UpdateInt(wanted_general_);
  return hasher.Finish();
}

EpilogueRegisters TestEpilogue::Registers(const IsaSet&) const { return {wanted_vectors_, wanted_general_, 1}; }

void TestEpilogue::Emit(VecAvx2& v, AbiFrame&, const EpilogueTile& tile) const { TileEmitter<VecAvx2>(v, tile).Emit(); }

void TestEpilogue::Emit(VecAvx512& v, AbiFrame&, const EpilogueTile& tile) const {
  TileEmitter<VecAvx512>(v, tile).Emit();
}

}  // namespace burin::jit

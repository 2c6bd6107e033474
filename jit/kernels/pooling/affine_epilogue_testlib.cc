#include "jit/kernels/pooling/affine_epilogue_testlib.h"

#include <optional>

#include "base/element_type.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"

namespace burin::jit {
namespace {

constexpr int kPlaceBytes = sizeof(EpiloguePlace);

constexpr EpilogueOperand kOperands[] = {
    {false, ElementType::kF32, false, true},
    {false, ElementType::kF32, true, false},
    {false, ElementType::kF32, true, true},
    {true, ElementType::kF32, true, true},
};

// Sets `to` to the address of an operand's element at a row of the tile and its first column.
void FindElement(Assembler& code, const EpilogueTile& tile, int operand, int row, const Reg64& to) {
  const EpilogueOperand& described = kOperands[operand];
  if (described.per_row) {
    code.lea(to, ptr[tile.row + row]);
    code.imul(to, ptr[tile.places + (operand * kPlaceBytes + 8)]);
  } else {
    code.xor_(to, to);
  }
  if (described.per_column) code.lea(to, ptr[to + tile.column * 4]);
  code.add(to, ptr[tile.places + operand * kPlaceBytes]);
}

template <class V>
void EmitTile(V& v, const EpilogueTile& tile) {
  Assembler& code = v.code();
  const GprReg at = code.regs().Gpr("at");
  const VecReg value = v.New("value");
  std::optional<typename V::MaskRegister> mask;
  if (tile.last_columns.has_value()) {
    mask.emplace(v.NewMask("mask"));
    v.SetMaskFor(*mask, *tile.last_columns, at);
  }
  for (int row = 0; row < tile.rows; ++row) {
    for (int i = 0; i < tile.vectors; ++i) {
      const Xmm x = tile.accumulator(row, i);
      const bool masked = mask.has_value() && i + 1 == tile.vectors;
      const Address address = ptr[at + i * (V::kBits / 8)];
      const auto load = [&](int operand) {
        FindElement(code, tile, operand, row, at);
        masked ? v.LoadMasked(value, *mask, address) : v.Load(value, address);
      };
      load(0);
      v.Mul(x, x, value);
      FindElement(code, tile, 1, row, at);
      v.Broadcast(value, ptr[at]);
      v.Add(x, x, value);
      load(2);
      v.Add(x, x, value);
      FindElement(code, tile, 3, row, at);
      masked ? v.StoreMasked(address, *mask, x) : v.Store(address, x);
    }
  }
}

}  // namespace

absl::Span<const EpilogueOperand> AffineEpilogue::operands() const { return kOperands; }

Hash128 AffineEpilogue::content_key() const {
  Hasher hasher;
  hasher.UpdateString("affine");
  return hasher.Finish();
}

EpilogueRegisters AffineEpilogue::Registers(const IsaSet&) const { return {2, 1, 1}; }

void AffineEpilogue::Emit(VecAvx2& v, AbiFrame&, const EpilogueTile& tile) const { EmitTile(v, tile); }

void AffineEpilogue::Emit(VecAvx512& v, AbiFrame&, const EpilogueTile& tile) const { EmitTile(v, tile); }

}  // namespace burin::jit

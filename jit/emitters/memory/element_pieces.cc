#include "jit/emitters/memory/element_pieces.h"

#include <cstdint>
#include <optional>

#include "base/check.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"

namespace burin::jit::internal {
namespace {

// Finds the pieces of a part, each of 8, 4, 2 or 1 elements: that of `size` elements starts at element (count & -2
// size), behind those of more.
class Pieces {
 public:
  Pieces(Assembler& code, const Address& memory, const VecPart<VecAvx2>& part, int bytes)
      : code_(code), memory_(memory), part_(part), bytes_(bytes) {
    BURIN_CHECK(!part.whole() && (bytes == 1 || bytes == 2)) << "bytes: " << bytes;
    if (part.count().has_value()) return;
    offset_ = code.regs().Gpr("offset");
    if (memory.getRegExp().getIndex().getBit() == 0) return;
    base_ = code.regs().Gpr("base");
    code.lea(*base_, memory);
  }

  // Calls emit(address) for the piece of `size` elements, where the part has it.
  template <class Emit>
  void With(int size, const Emit& emit) {
    if (part_.count().has_value()) {
      const int count = *part_.count();
      if ((count & size) != 0) emit(AddressAt(memory_, (count & -2 * size) * bytes_));
      return;
    }
    Label skip;
    TestCount(size);
    code_.jz(skip);
    const Address start = base_.has_value() ? ptr[*base_] : memory_;
    if (2 * size >= VecAvx2::kLanes) {
      emit(start);
    } else {
      LoadCount(offset_->cvt32());
      code_.and_(offset_->cvt32(), -2 * size);
      emit(ptr[start.getRegExp() + *offset_ * bytes_]);
    }
    code_.Bind(skip);
  }

 private:
  void TestCount(int bits) {
    if (part_.count_memory().has_value()) {
      code_.test(dword[part_.count_memory()->getRegExp()], bits);
    } else {
      code_.test(part_.count_reg()->cvt32(), bits);
    }
  }

  void LoadCount(const Reg32& to) {
    if (part_.count_memory().has_value()) {
      code_.mov(to, dword[part_.count_memory()->getRegExp()]);
    } else {
      code_.mov(to, part_.count_reg()->cvt32());
    }
  }

  Assembler& code_;
  const Address& memory_;
  const VecPart<VecAvx2>& part_;
  const int bytes_;
  std::optional<GprReg> base_;
  std::optional<GprReg> offset_;
};

}  // namespace

Address AddressAt(const Address& address, int bytes) {
  if (bytes == 0) return address;
  return ptr[address.getRegExp() + bytes];
}

void LoadPieces(VecAvx2& v, const Xmm& to, const Address& from, const VecPart<VecAvx2>& part, int bytes) {
  Assembler& code = v.code();
  Pieces pieces(code, from, part, bytes);
  const Xmm lanes = AsXmm(to);
  const GprReg value = code.regs().Gpr("value");
  const GprReg piece = code.regs().Gpr("piece");
  // From the last piece to the first: each moves what lies behind it up.
  const auto prepend = [&](const Address& address, int piece_bytes) {
    code.shl(value, 8 * piece_bytes);
    if (piece_bytes == 2) code.movzx(piece.cvt32(), word[address.getRegExp()]);
    if (piece_bytes == 4) code.mov(piece.cvt32(), dword[address.getRegExp()]);
    code.or_(value, piece);
  };
  code.xor_(value.cvt32(), value.cvt32());
  pieces.With(1, [&](const Address& address) {
    if (bytes == 1) code.movzx(value.cvt32(), byte[address.getRegExp()]);
    if (bytes == 2) code.movzx(value.cvt32(), word[address.getRegExp()]);
  });
  pieces.With(2, [&](const Address& address) { prepend(address, 2 * bytes); });
  if (bytes == 1) {
    pieces.With(4, [&](const Address& address) { prepend(address, 4); });
    pieces.With(8, [&](const Address& address) { code.mov(value, address); });
    code.vmovq(lanes, value);
    return;
  }
  code.vmovq(lanes, value);
  pieces.With(4, [&](const Address& address) {
    code.vpslldq(lanes, lanes, 8);
    code.vpinsrq(lanes, lanes, address, 0);
  });
  pieces.With(8, [&](const Address& address) { code.vmovups(lanes, address); });
}

void StorePieces(VecAvx2& v, const Address& to, const Xmm& from, const VecPart<VecAvx2>& part, int bytes) {
  Assembler& code = v.code();
  Pieces pieces(code, to, part, bytes);
  const Xmm lanes = AsXmm(from);
  // Each piece but the last moves what lies behind it down.
  const auto store = [&](const Address& address, int piece_bytes) {
    if (piece_bytes == 1) code.vpextrb(address, lanes, 0);
    if (piece_bytes == 2) code.vpextrw(address, lanes, 0);
    if (piece_bytes == 4) code.vmovd(address, lanes);
    if (piece_bytes == 8) code.vmovq(address, lanes);
    if (piece_bytes == 16) code.vmovups(address, lanes);
  };
  for (const int size : {8, 4, 2, 1}) {
    pieces.With(size, [&](const Address& address) {
      store(address, size * bytes);
      if (size == 2 || size == 4) code.vpsrldq(lanes, lanes, static_cast<uint8_t>(size * bytes));
    });
  }
}

void SetMaskForPart(VecAvx2& v, const VecReg& mask, const VecPart<VecAvx2>& part) {
  if (part.count().has_value()) {
    v.SetMaskFor(mask, *part.count());
  } else if (part.mask_memory().has_value()) {
    v.Load(mask, *part.mask_memory());
  } else {
    const GprReg scratch = v.code().regs().Gpr("scratch");
    v.SetMaskFor(mask, *part.count_reg(), scratch);
  }
}

void SetMasksForQwords(VecAvx2& v, const Xmm& low, const Xmm& high, const VecPart<VecAvx2>& part) {
  const VecReg mask = v.New("part");
  SetMaskForPart(v, mask, part);
  v.code().vpmovsxdq(AsYmm(low), AsXmm(mask));
  v.code().vextracti128(AsXmm(high), AsYmm(mask), 1);
  v.code().vpmovsxdq(AsYmm(high), AsXmm(high));
}

}  // namespace burin::jit::internal

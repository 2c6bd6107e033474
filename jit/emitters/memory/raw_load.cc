#include "jit/emitters/memory/raw_load.h"

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/element_pieces.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {
namespace {

// Widens elements of `bytes` bytes to 32 bits.
void ExtendToDwords(Assembler& code, const Xmm& to, const Operand& from, int bytes, bool is_signed) {
  if (bytes == 1 && is_signed) code.vpmovsxbd(to, from);
  if (bytes == 1 && !is_signed) code.vpmovzxbd(to, from);
  if (bytes == 2 && is_signed) code.vpmovsxwd(to, from);
  if (bytes == 2 && !is_signed) code.vpmovzxwd(to, from);
}

// Sets all 8-bit or 16-bit lanes of the lower half of `to` to the element in memory.
void BroadcastNarrow(Assembler& code, const Xmm& to, const Address& from, int bytes) {
  if (bytes == 1) code.vpbroadcastb(QuarterOf(to), from);
  if (bytes == 2) code.vpbroadcastw(HalfOf(to), from);
}

// Loads a part of elements of up to 4 bytes: `extend(to, source)` emits the instruction that loads and widens, where
// `to` may have a mask and `source` is memory or the register that holds the elements.
template <class Extend>
void LoadPart(VecAvx2& v, const Xmm& to, const Address& from, const VecPart<VecAvx2>& part, int bytes,
              const Extend& extend) {
  LoadPieces(v, to, from, part, bytes);
  extend(to, bytes == 1 ? QuarterOf(to) : HalfOf(to));
}
template <class Extend>
void LoadPart(VecAvx512&, const Xmm& to, const Address& from, const VecPart<VecAvx512>& part, int,
              const Extend& extend) {
  extend(to | part.mask() | T_z, from);
}

// Loads a part of elements of 4 bytes.
void LoadPartOfDwords(VecAvx2& v, const Xmm& to, const Address& from, const VecPart<VecAvx2>& part) {
  const VecReg mask = v.New("part");
  SetMaskForPart(v, mask, part);
  v.LoadMasked(to, mask, from);
}
void LoadPartOfDwords(VecAvx512& v, const Xmm& to, const Address& from, const VecPart<VecAvx512>& part) {
  v.LoadMasked(to, part.mask(), from);
}

// Loads a part of elements of 8 bytes.
void LoadPartOfQwords(VecAvx2& v, const Xmm& low, const Xmm& high, const Address& from, const VecPart<VecAvx2>& part) {
  // Either destination serves as mask of its own load.
  SetMasksForQwords(v, low, high, part);
  v.code().vpmaskmovq(low, low, from);
  v.code().vpmaskmovq(high, high, AddressAt(from, VecAvx2::kBits / 8));
}
void LoadPartOfQwords(VecAvx512& v, const Xmm& low, const Xmm& high, const Address& from,
                      const VecPart<VecAvx512>& part) {
  const MaskReg upper = v.NewMask("upper");
  v.code().kshiftrw(upper, part.mask(), VecAvx512::kLanes / 2);
  v.code().vmovdqu64(low | part.mask() | T_z, from);
  v.code().vmovdqu64(high | upper | T_z, AddressAt(from, VecAvx512::kBits / 8));
}

// Emits for each vector of `to` what loads and widens it by `extend(to, source)`.
template <class V, class Extend>
void LoadNarrow(V& v, const RawSource<V>& source, int bytes, const VecGroup& to, const Extend& extend) {
  for (int i = 0; i < to.size(); ++i) {
    const bool last = i + 1 == to.size();
    const Address from = AddressAt(source.from, source.broadcast ? 0 : i * V::kLanes * bytes);
    if (source.broadcast) {
      BroadcastNarrow(v.code(), to[i], from, bytes);
      extend(to[i], bytes == 1 ? QuarterOf(to[i]) : HalfOf(to[i]));
    } else if (source.part.whole() || !last) {
      extend(to[i], from);
    } else {
      LoadPart(v, to[i], from, source.part, bytes, extend);
    }
  }
}

}  // namespace

Xmm HalfOf(const Xmm& vec) { return vec.getBit() == VecAvx512::kBits ? static_cast<Xmm>(AsYmm(vec)) : AsXmm(vec); }

Xmm QuarterOf(const Xmm& vec) { return AsXmm(vec); }

template <class V>
void EmitLoadDwords(V& v, const RawSource<V>& source, int bytes, bool is_signed, const VecGroup& to) {
  if (bytes < 4) {
    LoadNarrow(v, source, bytes, to, [&](const Xmm& dwords, const Operand& from) {
      ExtendToDwords(v.code(), dwords, from, bytes, is_signed);
    });
    return;
  }
  for (int i = 0; i < to.size(); ++i) {
    if (source.broadcast) {
      v.Broadcast(to[i], source.from);
    } else if (source.part.whole() || i + 1 < to.size()) {
      v.Load(to[i], AddressAt(source.from, i * V::kBits / 8));
    } else {
      LoadPartOfDwords(v, to[i], AddressAt(source.from, i * V::kBits / 8), source.part);
    }
  }
}

template <class V>
void EmitLoadWords(V& v, const RawSource<V>& source, int bytes, const VecGroup& to) {
  LoadNarrow(v, source, bytes, to, [&](const Xmm& vec, const Operand& from) {
    // A mask on the whole register goes to its half.
    const Xmm masked = HalfOf(vec);
    const Xmm words = vec.getOpmaskIdx() != 0 ? masked | Opmask(vec.getOpmaskIdx()) | T_z : masked;
    if (bytes == 1) {
      v.code().vpmovsxbw(words, from);
    } else if (words.getOpmaskIdx() != 0) {
      v.code().vmovdqu16(words, from);
    } else if (from.isMEM()) {
      v.code().vmovups(words, from);
    }
  });
}

template <class V>
void EmitLoadF16(V& v, const RawSource<V>& source, const VecGroup& to) {
  LoadNarrow(v, source, 2, to, [&](const Xmm& vec, const Operand& from) { v.code().vcvtph2ps(vec, from); });
}

template <class V>
void EmitLoadQwords(V& v, const RawSource<V>& source, int index, int count, const Xmm& low, const Xmm& high) {
  if (source.broadcast) {
    v.code().vpbroadcastq(low, source.from);
    v.code().vmovaps(high, low);
    return;
  }
  const Address from = AddressAt(source.from, index * V::kLanes * 8);
  if (source.part.whole() || index + 1 < count) {
    v.Load(low, from);
    v.Load(high, AddressAt(from, V::kBits / 8));
  } else {
    LoadPartOfQwords(v, low, high, from, source.part);
  }
}

template void EmitLoadDwords(VecAvx2&, const RawSource<VecAvx2>&, int, bool, const VecGroup&);
template void EmitLoadDwords(VecAvx512&, const RawSource<VecAvx512>&, int, bool, const VecGroup&);
template void EmitLoadWords(VecAvx2&, const RawSource<VecAvx2>&, int, const VecGroup&);
template void EmitLoadWords(VecAvx512&, const RawSource<VecAvx512>&, int, const VecGroup&);
template void EmitLoadF16(VecAvx2&, const RawSource<VecAvx2>&, const VecGroup&);
template void EmitLoadF16(VecAvx512&, const RawSource<VecAvx512>&, const VecGroup&);
template void EmitLoadQwords(VecAvx2&, const RawSource<VecAvx2>&, int, int, const Xmm&, const Xmm&);
template void EmitLoadQwords(VecAvx512&, const RawSource<VecAvx512>&, int, int, const Xmm&, const Xmm&);

}  // namespace burin::jit::internal

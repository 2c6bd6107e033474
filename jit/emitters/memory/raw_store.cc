#include "jit/emitters/memory/raw_store.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/element_pieces.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {
namespace {

// Brings the lowest `bytes` = 1 or 2 bytes of the 32-bit lanes together at the low end of each register.
void GatherLowBytes(VecAvx2& v, int bytes, const VecGroup& x) {
  // In each half of 128 bits, then of both halves; bit 7 gives a 0.
  std::array<uint8_t, VecAvx2::kBits / 8> order;
  order.fill(0x80);
  for (size_t i = 0; i < order.size(); i += 16) {
    for (int j = 0; j < 4 * bytes; ++j) {
      order[i + static_cast<size_t>(j)] = static_cast<uint8_t>(j / bytes * 4 + j % bytes);
    }
  }
  const Address table = v.code().Table(absl::Span<const uint8_t>(order));
  const VecReg shared = v.New("order");
  v.Load(shared, table);
  for (int i = 0; i < x.size(); ++i) v.code().vpshufb(x[i], x[i], shared);
  if (bytes == 2) {
    for (int i = 0; i < x.size(); ++i) v.code().vpermq(AsYmm(x[i]), AsYmm(x[i]), 0x08);
    return;
  }
  for (int i = 0; i < x.size(); ++i) {
    v.code().vextracti128(AsXmm(shared), AsYmm(x[i]), 1);
    v.code().vpunpckldq(AsXmm(x[i]), AsXmm(x[i]), AsXmm(shared));
  }
}

// Narrows 32-bit lanes to elements of `bytes` = 1 or 2 bytes at the low end of each register.
void Narrow(VecAvx2& v, int bytes, Narrowing narrowing, const VecGroup& x) {
  if (narrowing == Narrowing::kWrap) return GatherLowBytes(v, bytes, x);
  const bool is_signed = narrowing == Narrowing::kSaturate;
  for (int i = 0; i < x.size(); ++i) {
    // Bytes saturate at the range of signed words first, which holds that of either kind of bytes.
    if (is_signed || bytes == 1) {
      v.code().vpackssdw(x[i], x[i], x[i]);
    } else {
      v.code().vpackusdw(x[i], x[i], x[i]);
    }
    v.code().vpermq(AsYmm(x[i]), AsYmm(x[i]), 0x08);
    if (bytes == 2) continue;
    if (is_signed) {
      v.code().vpacksswb(AsXmm(x[i]), AsXmm(x[i]), AsXmm(x[i]));
    } else {
      v.code().vpackuswb(AsXmm(x[i]), AsXmm(x[i]), AsXmm(x[i]));
    }
  }
}
void Narrow(VecAvx512& v, int bytes, Narrowing narrowing, const VecGroup& x) {
  if (narrowing == Narrowing::kSaturateUnsigned) {
    // The instruction takes its source for unsigned.
    const VecReg zero = v.New("zero");
    v.Zero(zero);
    v.MaxI32(x, x, zero);
  }
  for (int i = 0; i < x.size(); ++i) {
    const Xmm& from = x[i];
    if (bytes == 1) {
      if (narrowing == Narrowing::kWrap) v.code().vpmovdb(AsXmm(from), AsZmm(from));
      if (narrowing == Narrowing::kSaturate) v.code().vpmovsdb(AsXmm(from), AsZmm(from));
      if (narrowing == Narrowing::kSaturateUnsigned) v.code().vpmovusdb(AsXmm(from), AsZmm(from));
    } else {
      if (narrowing == Narrowing::kWrap) v.code().vpmovdw(AsYmm(from), AsZmm(from));
      if (narrowing == Narrowing::kSaturate) v.code().vpmovsdw(AsYmm(from), AsZmm(from));
      if (narrowing == Narrowing::kSaturateUnsigned) v.code().vpmovusdw(AsYmm(from), AsZmm(from));
    }
  }
}

// Stores the elements of `bytes` = 1 or 2 bytes at the low end of one vector.
void StoreWhole(VecAvx2& v, const Address& to, int bytes, const Xmm& from) {
  if (bytes == 1) v.code().vmovq(to, AsXmm(from));
  if (bytes == 2) v.code().vmovups(to, AsXmm(from));
}
void StoreWhole(VecAvx512& v, const Address& to, int bytes, const Xmm& from) {
  if (bytes == 1) v.code().vmovups(to, AsXmm(from));
  if (bytes == 2) v.code().vmovups(to, AsYmm(from));
}
void StorePart(VecAvx2& v, const Address& to, const VecPart<VecAvx2>& part, int bytes, const Xmm& from) {
  StorePieces(v, to, from, part, bytes);
}
void StorePart(VecAvx512& v, const Address& to, const VecPart<VecAvx512>& part, int bytes, const Xmm& from) {
  if (bytes == 1) v.code().vmovdqu8(to | part.mask(), AsXmm(from));
  if (bytes == 2) v.code().vmovdqu16(to | part.mask(), AsYmm(from));
}

void StorePartOfDwords(VecAvx2& v, const Address& to, const VecPart<VecAvx2>& part, const Xmm& from) {
  const VecReg mask = v.New("part");
  SetMaskForPart(v, mask, part);
  v.StoreMasked(to, mask, from);
}
void StorePartOfDwords(VecAvx512& v, const Address& to, const VecPart<VecAvx512>& part, const Xmm& from) {
  v.StoreMasked(to, part.mask(), from);
}

void StorePartOfQwords(VecAvx2& v, const Address& to, const VecPart<VecAvx2>& part, const Xmm& low, const Xmm& high) {
  const VecReg low_mask = v.New("part");
  const VecReg high_mask = v.New("part");
  SetMasksForQwords(v, low_mask, high_mask, part);
  v.code().vpmaskmovq(to, low_mask, low);
  v.code().vpmaskmovq(AddressAt(to, VecAvx2::kBits / 8), high_mask, high);
}
void StorePartOfQwords(VecAvx512& v, const Address& to, const VecPart<VecAvx512>& part, const Xmm& low,
                       const Xmm& high) {
  const MaskReg upper = v.NewMask("upper");
  v.code().kshiftrw(upper, part.mask(), VecAvx512::kLanes / 2);
  v.code().vmovdqu64(to | part.mask(), low);
  v.code().vmovdqu64(AddressAt(to, VecAvx512::kBits / 8) | upper, high);
}

// Stores the elements of `bytes` = 1 or 2 bytes at the low end of vector `index` of `count`.
template <class V>
void StoreNarrow(V& v, const RawDestination<V>& destination, int bytes, int index, int count, const Xmm& from) {
  const Address to = AddressAt(destination.to, index * V::kLanes * bytes);
  if (destination.part.whole() || index + 1 < count) {
    StoreWhole(v, to, bytes, from);
  } else {
    StorePart(v, to, destination.part, bytes, from);
  }
}

}  // namespace

template <class V>
void EmitNarrow(V& v, int bytes, Narrowing narrowing, const VecGroup& x) {
  Narrow(v, bytes, narrowing, x);
}

template <class V>
void EmitStoreDwords(V& v, const RawDestination<V>& destination, int bytes, Narrowing narrowing, const VecGroup& from) {
  if (bytes < 4) Narrow(v, bytes, narrowing, from);
  for (int i = 0; i < from.size(); ++i) {
    if (bytes < 4) {
      StoreNarrow(v, destination, bytes, i, from.size(), from[i]);
      continue;
    }
    const Address to = AddressAt(destination.to, i * V::kBits / 8);
    if (destination.part.whole() || i + 1 < from.size()) {
      v.Store(to, from[i]);
    } else {
      StorePartOfDwords(v, to, destination.part, from[i]);
    }
  }
}

template <class V>
void EmitStoreWords(V& v, const RawDestination<V>& destination, int index, int count, const Xmm& from) {
  StoreNarrow(v, destination, 2, index, count, from);
}

template <class V>
void EmitStoreF16(V& v, const RawDestination<V>& destination, const VecGroup& from) {
  // Rounds by the immediate, not by the processor's mode.
  constexpr uint8_t kNearestEven = 0;
  for (int i = 0; i < from.size(); ++i) {
    if (destination.part.whole() || i + 1 < from.size()) {
      v.code().vcvtps2ph(AddressAt(destination.to, i * V::kLanes * 2), from[i], kNearestEven);
    } else {
      v.code().vcvtps2ph(HalfOf(from[i]), from[i], kNearestEven);
      EmitStoreWords(v, destination, i, from.size(), from[i]);
    }
  }
}

template <class V>
void EmitStoreQwords(V& v, const RawDestination<V>& destination, int index, int count, const Xmm& low,
                     const Xmm& high) {
  const Address to = AddressAt(destination.to, index * V::kLanes * 8);
  if (destination.part.whole() || index + 1 < count) {
    v.Store(to, low);
    v.Store(AddressAt(to, V::kBits / 8), high);
  } else {
    StorePartOfQwords(v, to, destination.part, low, high);
  }
}

template void EmitNarrow(VecAvx2&, int, Narrowing, const VecGroup&);
template void EmitNarrow(VecAvx512&, int, Narrowing, const VecGroup&);
template void EmitStoreDwords(VecAvx2&, const RawDestination<VecAvx2>&, int, Narrowing, const VecGroup&);
template void EmitStoreDwords(VecAvx512&, const RawDestination<VecAvx512>&, int, Narrowing, const VecGroup&);
template void EmitStoreF16(VecAvx2&, const RawDestination<VecAvx2>&, const VecGroup&);
template void EmitStoreF16(VecAvx512&, const RawDestination<VecAvx512>&, const VecGroup&);
template void EmitStoreWords(VecAvx2&, const RawDestination<VecAvx2>&, int, int, const Xmm&);
template void EmitStoreWords(VecAvx512&, const RawDestination<VecAvx512>&, int, int, const Xmm&);
template void EmitStoreQwords(VecAvx2&, const RawDestination<VecAvx2>&, int, int, const Xmm&, const Xmm&);
template void EmitStoreQwords(VecAvx512&, const RawDestination<VecAvx512>&, int, int, const Xmm&, const Xmm&);

}  // namespace burin::jit::internal

#include "jit/emitters/wide/wide_memory.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/raw_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"

namespace burin::jit {

template <class V>
void EmitLoadWide(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) {
  const internal::RawSource<V> source = {from, part};
  const int vectors = to.size() / kWideRegs;
  for (int i = 0; i < vectors; ++i) {
    internal::EmitLoadQwords(v, source, i, vectors, to[kWideRegs * i], to[kWideRegs * i + 1]);
  }
}

template <class V>
void EmitBroadcastWide(V& v, const VecGroup& to, const Address& from) {
  for (int i = 0; i < to.size(); ++i) v.code().vpbroadcastq(to[i], from);
}

template <class V>
void EmitConstantWide(V& v, const VecGroup& to, uint64_t bits) {
  if (bits == 0) return v.Zero(to);
  v.code().vpbroadcastq(to[0], v.code().Scalar(bits));
  for (int i = 1; i < to.size(); ++i) v.code().vmovaps(to[i], to[0]);
}

template <class V>
void EmitStoreWide(V& v, const Address& to, const VecGroup& from, const VecPart<V>& part) {
  const internal::RawDestination<V> destination = {to, part};
  const int vectors = from.size() / kWideRegs;
  for (int i = 0; i < vectors; ++i) {
    internal::EmitStoreQwords(v, destination, i, vectors, from[kWideRegs * i], from[kWideRegs * i + 1]);
  }
}

template <class V>
void EmitStoreFirstWide(V& v, const Address& to, const VecGroup& from) {
  v.code().vmovq(to, AsXmm(from[0]));
}

template void EmitLoadWide(VecAvx2&, const VecGroup&, const Address&, const VecPart<VecAvx2>&);
template void EmitLoadWide(VecAvx512&, const VecGroup&, const Address&, const VecPart<VecAvx512>&);
template void EmitBroadcastWide(VecAvx2&, const VecGroup&, const Address&);
template void EmitBroadcastWide(VecAvx512&, const VecGroup&, const Address&);
template void EmitConstantWide(VecAvx2&, const VecGroup&, uint64_t);
template void EmitConstantWide(VecAvx512&, const VecGroup&, uint64_t);
template void EmitStoreWide(VecAvx2&, const Address&, const VecGroup&, const VecPart<VecAvx2>&);
template void EmitStoreWide(VecAvx512&, const Address&, const VecGroup&, const VecPart<VecAvx512>&);
template void EmitStoreFirstWide(VecAvx2&, const Address&, const VecGroup&);
template void EmitStoreFirstWide(VecAvx512&, const Address&, const VecGroup&);

}  // namespace burin::jit

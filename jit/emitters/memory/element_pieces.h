// Moves the first so many elements of a vector of 8 between memory and a register, on machines without masks for it.
//
// The mechanism of parts at 256 bits, behind typed loads and stores (jit/emitters/convert/typed_load.h, typed_store.h),
// which are what other code calls. Elements of 1 and 2 bytes go in pieces of 8, 4, 2 and 1 elements, each where the
// count has that bit: nothing is touched twice or in vain. Elements of 4 and 8 bytes have masked instructions. Emits to
// the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_MEMORY_ELEMENT_PIECES_H_
#define BURIN_JIT_EMITTERS_MEMORY_ELEMENT_PIECES_H_

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"

namespace burin::jit::internal {

// Returns the address `bytes` bytes behind `address`, which is not relative to the instruction pointer.
Address AddressAt(const Address& address, int bytes);

// Loads a part of elements of `bytes` = 1 or 2 bytes into the lowest lanes of `to`, of which it changes 128 bits and
// zeros the rest. The part is not whole. Uses up to 4 general registers, 3 where the address has no index.
void LoadPieces(VecAvx2& v, const Xmm& to, const Address& from, const VecPart<VecAvx2>& part, int bytes);

// Stores a part of elements of `bytes` = 1 or 2 bytes from the lowest lanes of `from`, which it changes. The part is
// not whole. Uses up to 2 general registers, 1 where the address has no index.
void StorePieces(VecAvx2& v, const Address& to, const Xmm& from, const VecPart<VecAvx2>& part, int bytes);

// Sets the mask of a part of elements of 4 bytes, and the two of a part of elements of 8 bytes. The part is not whole.
void SetMaskForPart(VecAvx2& v, const VecReg& mask, const VecPart<VecAvx2>& part);
void SetMasksForQwords(VecAvx2& v, const Xmm& low, const Xmm& high, const VecPart<VecAvx2>& part);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_EMITTERS_MEMORY_ELEMENT_PIECES_H_

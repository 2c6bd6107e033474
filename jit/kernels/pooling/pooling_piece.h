// Describes a piece of a pooling's work in the code: some windows, for some vectors of channels.
//
// Use it in the generation of poolings (jit/kernels/pooling/pooling_code.h): the walk over windows and channels hands
// pieces to what reduces and stores them. V is the vector vocabulary. A plain value; the mask that it names outlives
// it.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_PIECE_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_PIECE_H_

#include <cstddef>
#include <cstdint>

#include "jit/asm/operands.h"

namespace burin::jit {

template <class V>
struct PoolingPiece {
  int windows = 1;
  int vectors = 1;
  // Of the channels of a vector that is incomplete, which is then the only one; null where all are whole.
  const typename V::MaskRegister* mask = nullptr;
  // Of a strip: bytes from its first tap to where the input begins, and to where it ends.
  bool is_strip = false;
  int64_t begin = 0;
  int64_t end = INT64_MAX;

  // Returns which of the piece's results is that of a window and a vector, and how many there are.
  size_t At(int window, int vector) const { return static_cast<size_t>(window * vectors + vector); }
  size_t Results() const { return At(windows, 0); }

  // Load and store a vector of the piece.
  void Load(V& v, const Xmm& to, const Address& from) const {
    mask != nullptr ? v.LoadMasked(to, *mask, from) : v.Load(to, from);
  }
  void Store(V& v, const Address& to, const Xmm& from) const {
    mask != nullptr ? v.StoreMasked(to, *mask, from) : v.Store(to, from);
  }
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_PIECE_H_

// Says which elements of a vector are in memory: all of them, or the first so many.
//
// Use it for the last, incomplete vector of a row in typed loads and stores (jit/emitters/convert/typed_load.h,
// typed_store.h), whatever the size of an element. Memory of elements that are not in the part is never touched. For
// elements of 4 bytes alone, the masks of the vocabulary do. An object belongs to one thread, and the vocabulary that
// made it outlives it.
#ifndef BURIN_JIT_EMITTERS_MEMORY_VEC_PART_H_
#define BURIN_JIT_EMITTERS_MEMORY_VEC_PART_H_

#include <optional>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

template <class V>
class VecPart;

// Is a part of a vector of 8 elements. It holds no register of its own: pieces of 8, 4, 2 and 1 elements are
// moved where the count has that bit.
template <>
class VecPart<VecAvx2> {
 public:
  // Is all elements.
  VecPart() = default;

  // Is the first `count` elements; all of them from 8 on.
  static VecPart First(VecAvx2& v, int count);
  // Is the first so many elements as the register says, 0 to 8. The register keeps its value as long as the part is
  // used.
  static VecPart First(VecAvx2& v, const Reg64& count);

  // Returns whether it is all elements.
  bool whole() const { return !count_.has_value() && !count_reg_.has_value(); }

  // Return the number of elements, where it is known now, or the register that holds it; at most one has a value.
  const std::optional<int>& count() const { return count_; }
  const std::optional<Reg64>& count_reg() const { return count_reg_; }

 private:
  std::optional<int> count_;
  std::optional<Reg64> count_reg_;
};

// Is a part of a vector of 16 elements: one mask register, unless it is all of them.
template <>
class VecPart<VecAvx512> {
 public:
  // Is all elements.
  VecPart() = default;

  // Is the first `count` elements; all of them from 16 on.
  static VecPart First(VecAvx512& v, int count);
  // Is the first so many elements as the register says, 0 to 16. The register is not needed afterwards.
  static VecPart First(VecAvx512& v, const Reg64& count);

  // Returns whether it is all elements.
  bool whole() const { return !mask_.has_value(); }

  // Returns the mask, of 16 bits, of a part that is not whole.
  const MaskReg& mask() const { return *mask_; }

 private:
  std::optional<MaskReg> mask_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_MEMORY_VEC_PART_H_

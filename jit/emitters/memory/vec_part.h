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
  // Is the first so many elements as 4 bytes of memory say, 0 to 8; 32 bytes at `mask` are the mask of as many. Costs
  // no register: for many accesses with one count. The memory keeps its content as long as the part is used.
  static VecPart First(VecAvx2& v, const Address& count, const Address& mask);

  // Returns whether it is all elements.
  bool whole() const { return !count_.has_value() && !count_reg_.has_value() && !count_memory_.has_value(); }

  // Return the number of elements, where it is known now, or the register or the memory that holds it; at most one has
  // a value. With the last comes the memory of the mask.
  const std::optional<int>& count() const { return count_; }
  const std::optional<Reg64>& count_reg() const { return count_reg_; }
  const std::optional<Address>& count_memory() const { return count_memory_; }
  const std::optional<Address>& mask_memory() const { return mask_memory_; }

 private:
  std::optional<int> count_;
  std::optional<Reg64> count_reg_;
  std::optional<Address> count_memory_;
  std::optional<Address> mask_memory_;
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
  // Is the elements of a mask, which outlives the part: for many accesses with one count.
  static VecPart Of(const MaskReg& mask);

  // Returns whether it is all elements.
  bool whole() const { return !own_.has_value() && lent_ == nullptr; }

  // Returns the mask, of 16 bits, of a part that is not whole.
  const MaskReg& mask() const { return lent_ != nullptr ? *lent_ : *own_; }

 private:
  std::optional<MaskReg> own_;
  const MaskReg* lent_ = nullptr;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_MEMORY_VEC_PART_H_

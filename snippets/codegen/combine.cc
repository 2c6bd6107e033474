#include "snippets/codegen/combine.h"

#include "jit/emitters/arithmetic/extremes.h"
#include "jit/emitters/arithmetic/sums_and_products.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

template <class V>
void EmitCombine(V& v, Reduction reduction, bool is_float, const jit::VecGroup& acc, const jit::VecGroup& x) {
  switch (reduction) {
    case Reduction::kSum:
      is_float ? jit::EmitAdd(v, acc, x) : jit::EmitAddI32(v, acc, x);
      return;
    case Reduction::kProduct:
      is_float ? jit::EmitMultiply(v, acc, x) : jit::EmitMultiplyI32(v, acc, x);
      return;
    case Reduction::kMaximum:
      is_float ? jit::EmitMaximum(v, acc, x) : jit::EmitMaximumI32(v, acc, x);
      return;
    case Reduction::kMinimum:
      is_float ? jit::EmitMinimum(v, acc, x) : jit::EmitMinimumI32(v, acc, x);
      return;
  }
}

template void EmitCombine(jit::VecAvx2&, Reduction, bool, const jit::VecGroup&, const jit::VecGroup&);
template void EmitCombine(jit::VecAvx512&, Reduction, bool, const jit::VecGroup&, const jit::VecGroup&);

}  // namespace burin::snippets

// Describes element-wise functions of elements of 8 bytes, alone or mixed with those of 4 bytes.
//
// Use it where a kernel computes with f64 or i64 beside narrower types. A value of 4-byte elements has one register a
// vector; one of 8-byte elements has two, which are neighbours in its VecGroup: the first has the lower half of the
// vector's elements, the second the upper half. So vectors of both kinds have as many elements, a conversion crosses no
// others, and what is narrow runs at full speed beside what is wide. Functions of 4-byte elements alone are
// RowFunctions (jit/emitters/row_kernel.h). Values, hence thread-safe.
#ifndef BURIN_JIT_EMITTERS_WIDE_WIDE_FUNCTION_H_
#define BURIN_JIT_EMITTERS_WIDE_WIDE_FUNCTION_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// The registers that a vector of 8-byte elements takes.
inline constexpr int kWideRegs = 2;

// Describes a function by its emitter at each width.
struct WideFunction {
  // Emits the function of the groups `inputs` into `to`, whose registers are none of theirs. A narrow input may have
  // one register for all vectors; a wide one always has two a vector, but may repeat them. Inputs do not change.
  template <class V>
  using Emit = std::function<void(V& v, const VecGroup& to, absl::Span<const VecGroup> inputs)>;

  std::string name;
  // Of each input, and of the result: whether its elements have 8 bytes.
  std::vector<bool> inputs;
  bool output = true;
  Emit<VecAvx2> avx2;
  Emit<VecAvx512> avx512;

  // Describes a function whose emitter is written once for both widths: a generic callable emit(v, to, inputs).
  template <class EmitBoth>
  static WideFunction Of(std::string name, std::vector<bool> inputs, bool output, EmitBoth emit) {
    return {std::move(name), std::move(inputs), output, emit, emit};
  }
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_WIDE_FUNCTION_H_

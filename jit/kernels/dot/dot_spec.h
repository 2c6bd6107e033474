// Describes a kernel that sums products along rows of A and columns of B that each lie in one run of memory.
//
// Use it for a transposed B that is not packed ahead and meets few rows of A: each element of B is then read once,
// where it lies, while a kernel of broadcasts (jit/kernels/brgemm) would have to transpose it first. Not for choosing
// the tile: jit/kernels/dot/dot_tile.h. A value.
//
// What is computed, for row r and column n, steps k from 0 to the depth, begins with 16 chains of FMAs, each of the
// steps of one remainder by 16 in their order, and ends with a tree of additions:
//   c(i) = sum over k = i, i + 16, ... of A(r, k) * B(k, n);  h(i) = c(i) + c(i + 8) for i below 8
//   C[r][n] = (((h0 + h2) + (h1 + h3)) + ((h4 + h6) + (h5 + h7))) (+ C[r][n])
// so that the bits depend neither on the machine nor on the tile nor on how columns are shared. A step is one f32.
#ifndef BURIN_JIT_KERNELS_DOT_DOT_SPEC_H_
#define BURIN_JIT_KERNELS_DOT_DOT_SPEC_H_

#include <string>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Describes the kernel. Where the operands are, and how many steps and columns, is known at run time (DotArgs).
struct DotSpec {
  // The most rows, the most columns at once, and the most of a call.
  static constexpr int kMaxRows = 6;
  static constexpr int kMaxGroup = 8;
  static constexpr int kMaxColumns = 64;

  // Of A and B. kF32; others are Unimplemented.
  ElementType type = ElementType::kF32;
  // Rows of A; and columns of B that are read side by side, each of which has an accumulator for each row. Groups begin
  // at the first column, but for the last one of a call, which ends with the last column and so may begin earlier: even
  // before the first, where there are fewer columns than that.
  int rows = 1;
  int group = 1;
  // Whether the sums are added to what C holds, before the epilogue.
  bool add_to_c = false;
  // Whether each group fetches the one behind it into the level 2 cache: B is in no near cache, and the runs of its
  // columns are too many for the processor to foresee.
  bool prefetch = false;

  // Returns OK where the kernel exists for machines with `isa`. InvalidArgument naming the field, Unimplemented naming
  // the type.
  absl::Status Validate(const IsaSet& isa) const;

  // Returns the vector registers that the loop takes on machines with `isa`.
  int VectorRegisters(const IsaSet& isa) const;

  // Returns a name such as "dot_4x6_add", for dumps.
  std::string Name() const;

  // Returns the fingerprint of all fields.
  Hash128 ContentKey() const;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DOT_DOT_SPEC_H_

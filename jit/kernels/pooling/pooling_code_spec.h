// Describes the code of a pooling: in which pieces it takes windows and channels, and what else is fixed in it.
//
// Use it in the plan of a pooling (jit/kernels/pooling/pooling_plan.h) and in the generation of its code; strips and
// single windows are those of jit/kernels/pooling/pooling_code.h. Sizes of tensors are no part of it, but for what is
// said here. A plain value; functions are pure.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_CODE_SPEC_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_CODE_SPEC_H_

#include <cstdint>
#include <set>
#include <string>

#include "base/element_type.h"
#include "base/hash.h"
#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {

// Describes the code.
struct PoolingCodeSpec {
  PoolingKind kind = PoolingKind::kMax;
  int p = 2;
  // Of the indices; kUndefined without.
  ElementType index_type = ElementType::kUndefined;
  // The windows of a strip; 0 without strips. Then the vectors of channels of a strip, a power of two at most.
  int strip_windows = 0;
  int strip_vectors = 1;
  // Of a strip: taps along the innermost axis, bytes of the input from tap to tap and from window to window, and of the
  // output from window to window.
  int strip_taps = 0;
  int32_t strip_tap_step = 0;
  int32_t strip_window_step = 0;
  int32_t strip_output_step = 0;
  // Bytes from the first strip's first tap to where the input begins; 0 where the first strip is as the others are.
  int32_t first_begin = 0;
  // The windows of the last strip, and the bytes from its first tap to where the input ends; 0 where the last strip is
  // as the others are.
  int last_windows = 0;
  int32_t last_end = 0;
  // Whether there is but one strip: the last, which is the first too.
  bool is_one_strip = false;
  // The most vectors of channels of a single window, a power of two.
  int single_vectors = 1;
  // Channels behind the last whole vector.
  int tail_channels = 0;

  // Returns whether the positions of maxima are stored too.
  bool has_indices() const { return index_type != ElementType::kUndefined; }

  // Returns the bytes of a position, where there are.
  int index_bytes() const { return BitWidth(index_type) / 8; }

  // Returns the columns of a strip of so many windows, in the padding or not: where windows have taps, in bytes of the
  // input from the strip's first tap on.
  std::set<int64_t> ColumnsOf(int windows) const;

  // Returns how many these are.
  int StripColumns(int windows) const;

  // Returns a name such as "pool_max_k3_w8".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_CODE_SPEC_H_

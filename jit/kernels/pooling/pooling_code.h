// Generates the code of poolings: a function of PoolingArgs for windows side by side.
//
// Use it inside PoolingKernel (jit/kernels/pooling/pooling.h), and to look at code. Windows are taken in two ways:
//
//   strips   Several windows, for one vector of channels or few. Each column of the input (all taps of one coordinate
//   of
//            the innermost axis) is reduced once, into a register of its own, then the columns of each window are. What
//            windows share is neither read nor computed twice. A row of windows is strips of equal length; its first
//            and last strip lack the columns that lie in the padding.
//   singles  One window with any taps, for several vectors of channels; taps in the order of the axes.
//
// A window is always taken in the same way, so that no bit depends on how windows are cut into calls. A pure function;
// the code may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_CODE_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_CODE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {

// Describes the code. Sizes of tensors are no part of it, but for what is said here.
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

  // Returns how many columns a strip of so many windows has, in the padding or not.
  int StripColumns(int windows) const;

  // Returns a name such as "pool_max_k3_w8".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const PoolingArgs*` for `target`. With an epilogue it stores nothing but indices:
// the epilogue does. Fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GeneratePooling(const PoolingCodeSpec& spec, const Target& target,
                                         const EpilogueEmitter* epilogue);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_CODE_H_

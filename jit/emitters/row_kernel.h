// Compiles an emitter into a kernel over rows: out[i] = f(in0[i], in1[i], ...).
//
// Use it to run, test, measure and dump emitters one by one. Not for chains of them, which the fused loops of snippets
// run without a store between. Elements are 4 bytes wide, floats or integers as the emitter takes them. Functions may
// be called from any thread; a kernel may be run by any number of threads at once, each on its part of the row.
#ifndef BURIN_JIT_EMITTERS_ROW_KERNEL_H_
#define BURIN_JIT_EMITTERS_ROW_KERNEL_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"

namespace burin::jit {

// Describes an element-wise function by its emitter at each width.
struct RowFunction {
  // The most inputs of a function.
  static constexpr int kMaxInputs = 5;

  // Emits the function of the groups `operands`, one for each input; the result replaces the first.
  template <class V>
  using Emit = std::function<void(V& v, absl::Span<const VecGroup> operands)>;

  std::string name;
  // 1 to kMaxInputs.
  int inputs = 1;
  Emit<VecAvx2> avx2;
  Emit<VecAvx512> avx512;

  // Describes a function whose emitter is written once for both widths: a generic callable emit(v, operands).
  template <class EmitBoth>
  static RowFunction Of(std::string name, int inputs, EmitBoth emit) {
    return {std::move(name), inputs, emit, emit};
  }
};

// Is a loaded kernel.
class RowKernel {
 public:
  // How many vectors the main loop takes at a time, unless they do not fit into the registers.
  static constexpr int kVectors = 6;

  // Generates the code for machines like `target`, at the width that they have, with the most vectors in the main loop,
  // at most `max_vectors`, that the registers allow. InvalidArgument for a number of inputs or vectors out of range;
  // else fails as the assembler does.
  static absl::StatusOr<CodeBlob> Generate(const RowFunction& function, const Target& target,
                                           int max_vectors = kVectors);

  // Generates and loads it; also fails as the loader does.
  static absl::StatusOr<RowKernel> Create(const RowFunction& function, const Target& target,
                                          int max_vectors = kVectors);

  // Runs it: reads `count` elements from each of the inputs, in the function's order and as many as it has, and writes
  // as many. Any input may be the output.
  void Run(absl::Span<const void* const> inputs, void* output, int64_t count) const;

  // Does the same for a function of one input.
  void Run(const void* input, void* output, int64_t count) const { Run(absl::MakeConstSpan(&input, 1), output, count); }

 private:
  explicit RowKernel(ExecutableCode code) : code_(std::move(code)) {}

  ExecutableCode code_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ROW_KERNEL_H_

// Turns a linear IR into machine code.
//
// Use it behind the code cache (snippets/kernel). The code is the same for all sizes: extents and strides are run-time
// arguments. Registers are given to values as they are defined and taken back after their last use; where there are not
// enough, the main loop takes fewer vectors at a time, and in the end values live on the stack. Pointers do in any case
// but for as many as registers are left. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_KERNEL_EMITTER_H_
#define BURIN_SNIPPETS_CODEGEN_KERNEL_EMITTER_H_

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Says how many registers the code may use, for tests of what happens without.
struct RegisterLimits {
  int general = 16;
  int vectors = 32;
};

// Says how code is generated.
struct KernelOptions {
  RegisterLimits limits;
  // Whether it counts the ticks that each expression takes (jit/debug/cycle_counters.h).
  bool counts_cycles = false;
};

// Says what the code came to.
struct KernelStats {
  // Vectors that the main loop takes at a time.
  int vectors = 0;
  // Values and pointers that live on the stack.
  int spilled_values = 0;
  int spilled_pointers = 0;
};

// Generates the code of `ir`, which is verified. Unimplemented, with the reason, for an operation without an emitter;
// ResourceExhausted where even one vector at a time does not fit. `stats` may be null.
absl::StatusOr<jit::CodeBlob> GenerateKernel(const LinearIr& ir, const jit::Target& target,
                                             const KernelOptions& options, KernelStats* stats = nullptr);

// Does the same for given limits, without counting.
inline absl::StatusOr<jit::CodeBlob> GenerateKernel(const LinearIr& ir, const jit::Target& target,
                                                    const RegisterLimits& limits = {}, KernelStats* stats = nullptr) {
  return GenerateKernel(ir, target, KernelOptions{limits, false}, stats);
}

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_KERNEL_EMITTER_H_

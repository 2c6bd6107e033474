// Runs a body as graphs are run without fusing: one kernel for each operation, with memory between them.
//
// Use it as what a fused kernel is compared with. The operations have the same kernels as fused ones have. Used by one
// thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_OP_BY_OP_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_OP_BY_OP_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/aligned_buffer.h"
#include "ir/model.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"

namespace burin::kernel_bench {

class OpByOp {
 public:
  // Compiles a kernel for each operation of `body`, which has static shapes. Unimplemented for a body with an operation
  // that is no kernel by itself.
  static absl::StatusOr<OpByOp> Create(const ir::Model& body, const jit::Target& target);

  // Runs all operations, on the memory of the body's parameters and results.
  void Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs) const;

  // Returns the number of kernels.
  size_t kernels() const { return steps_.size(); }

 private:
  // Names memory: of a parameter, of a result, or of a value between.
  struct Place {
    enum class Kind : uint8_t { kInput, kOutput, kBetween };
    Kind kind = Kind::kBetween;
    size_t index = 0;
  };

  struct Step {
    std::unique_ptr<snippets::FusedKernel> kernel;
    std::vector<Place> inputs;
    Place output;
  };

  std::vector<Step> steps_;
  std::vector<AlignedBuffer> between_;
  AlignedBuffer scratch_;
};

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_OP_BY_OP_H_

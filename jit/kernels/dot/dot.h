// Runs one dot kernel: a few rows of C from rows of A and columns of B, each in one run of memory.
//
// Use it inside kernels of dense operations, which cut their problem into such calls (jit/kernels/gemm). Not for whole
// products. Immutable; any number of threads may run it at once. A copy refers to the same code.
//
//   DotSpec spec;
//   spec.rows = 2;
//   spec.group = 8;
//   BURIN_ASSIGN_OR_RETURN(const DotKernel dot, DotKernel::Create(spec, epilogue, target.isa(), cache));
//   DotArgs args;
//   args.a = ...;
//   dot.Run(args);
//
// With an epilogue, that stores what is to be stored, and nothing else does.
#ifndef BURIN_JIT_KERNELS_DOT_DOT_H_
#define BURIN_JIT_KERNELS_DOT_DOT_H_

#include <utility>

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/kernels/dot/dot_args.h"
#include "jit/kernels/dot/dot_spec.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Returns the code of a function of `const DotArgs*` for machines with `isa`; `epilogue` may be null. Fails as
// DotSpec::Validate() and Assembler::Finalize() do.
absl::StatusOr<CodeBlob> GenerateDot(const DotSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa);

// Holds the code.
class DotKernel {
 public:
  // Holds no code; may be assigned to.
  DotKernel() = default;

  // Takes the code from `cache`, which lives longer, or generates it. `epilogue` may be null, and is not kept. Fails as
  // GenerateDot() and CodeCache::GetOrGenerate() do.
  static absl::StatusOr<DotKernel> Create(const DotSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa,
                                          CodeCache& cache);

  // Computes the rows of some columns.
  void Run(const DotArgs& args) const { entry_(&args); }

  // Returns whether there is code.
  explicit operator bool() const { return entry_ != nullptr; }

 private:
  using Entry = void (*)(const DotArgs*);

  explicit DotKernel(CachedCode code) : code_(std::move(code)), entry_(code_->entry<Entry>()) {}

  CachedCode code_;
  Entry entry_ = nullptr;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DOT_DOT_H_

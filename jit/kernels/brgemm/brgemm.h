// Runs one product kernel: a tile of C from rows of A and vectors of B.
//
// Use it inside kernels of dense operations, which cut their problem into tiles and call one of these for each
// (jit/kernels/gemm). Not for whole products. Resolve all of a plan's kernels when it is made: a call costs nothing but
// the call. Immutable; any number of threads may run it at once. A copy refers to the same code.
//
//   BrgemmSpec spec;
//   spec.rows = 6;
//   spec.vectors = 4;
//   spec.depth = 768;
//   BURIN_ASSIGN_OR_RETURN(const Brgemm tile, Brgemm::Create(spec, epilogue, target.isa(), cache));
//   BrgemmArgs args;
//   args.a = ...;
//   tile.Run(args);
//
// With an epilogue, that stores what is to be stored, and nothing else does: a sum that is cut into several calls has
// it in the last one only, and the others keep what they have in C, as f32. Its rows and columns are those of the
// matrix that the caller says the tile is a part of: `args.row` and `args.column` are its first.
#ifndef BURIN_JIT_KERNELS_BRGEMM_BRGEMM_H_
#define BURIN_JIT_KERNELS_BRGEMM_BRGEMM_H_

#include <utility>

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Returns the code of a function of `const BrgemmArgs*` for machines with `isa`; `epilogue` may be null. Fails as
// BrgemmSpec::Validate() and Assembler::Finalize() do.
absl::StatusOr<CodeBlob> GenerateBrgemm(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa);

// Holds the code.
class Brgemm {
 public:
  // Holds no code; may be assigned to.
  Brgemm() = default;

  // Takes the code from `cache`, which lives longer, or generates it. `epilogue` may be null, and is not kept. Fails as
  // GenerateBrgemm() and CodeCache::GetOrGenerate() do.
  static absl::StatusOr<Brgemm> Create(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa,
                                       CodeCache& cache);

  // Computes one tile.
  void Run(const BrgemmArgs& args) const { entry_(&args); }

  // Returns whether there is code.
  explicit operator bool() const { return entry_ != nullptr; }

 private:
  using Entry = void (*)(const BrgemmArgs*);

  explicit Brgemm(CachedCode code) : code_(std::move(code)), entry_(code_->entry<Entry>()) {}

  CachedCode code_;
  Entry entry_ = nullptr;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_BRGEMM_H_

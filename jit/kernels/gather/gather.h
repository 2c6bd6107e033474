// Gathers rows by index at the speed of memory: embeddings, and Gather along any axis.
//
// Use it where indices choose whole rows of one or more elements. Not for indices into several axes at once, nor for
// what strides can say (jit/kernels/copy.h). A kernel is an immutable value: Run() may be called by any number of
// threads at once.
//
//   BURIN_ASSIGN_OR_RETURN(const GatherKernel kernel, GatherKernel::Create(spec, target, cache));
//   const int64_t missing = kernel.Run(source, indices, destination, 0, kernel.work_items());
#ifndef BURIN_JIT_KERNELS_GATHER_GATHER_H_
#define BURIN_JIT_KERNELS_GATHER_GATHER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/gather/gather_plan.h"

namespace burin::jit {

// Is a compiled gathering.
class GatherKernel {
 public:
  // Compiles `spec` for `target`, with code of `cache`, which lives longer. Fails as GatherSpec::Validate() and
  // CodeCache::GetOrGenerate() do.
  static absl::StatusOr<GatherKernel> Create(const GatherSpec& spec, const Target& target, CodeCache& cache);

  // Returns the number of work items; 0 where nothing is gathered.
  int64_t work_items() const { return work_items_; }

  // Gathers the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Each row of the destination
  // belongs to one item; it overlaps neither source nor indices. Returns how many times an index lay outside of the
  // rows: its row is zeros.
  int64_t Run(const void* source, const void* indices, void* destination, int64_t begin, int64_t end) const;

  // Returns the plan, and the name of the code; "" where nothing is gathered.
  const GatherPlan& plan() const { return plan_; }
  absl::string_view kernel_name() const;

 private:
  explicit GatherKernel(const GatherSpec& spec) : spec_(spec) {}

  GatherSpec spec_;
  GatherPlan plan_;
  CachedCode code_;
  int64_t work_items_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_GATHER_GATHER_H_

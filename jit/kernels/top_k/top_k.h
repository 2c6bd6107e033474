// Selects the k largest or smallest elements along an axis, for small k, and says where they are.
//
// Use it for TopK (and ArgMax and ArgMin, with k = 1). The result does not depend on how work is shared. A kernel is an
// immutable value: Run() may be called by any number of threads at once.
#ifndef BURIN_JIT_KERNELS_TOP_K_TOP_K_H_
#define BURIN_JIT_KERNELS_TOP_K_TOP_K_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/top_k/top_k_plan.h"

namespace burin::jit {

// Is a compiled selection.
class TopKKernel {
 public:
  // Compiles `spec` for `target`, with code of `cache`, which lives longer. Fails as TopKSpec::Validate() and
  // CodeCache::GetOrGenerate() do.
  static absl::StatusOr<TopKKernel> Create(const TopKSpec& spec, const Target& target, CodeCache& cache);

  // Returns the number of work items; 0 where there is nothing to compute.
  int64_t work_items() const { return work_items_; }

  // Computes the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Each selected element
  // belongs to one item. Nothing overlaps; `values` or `indices` may be null where nobody asks for them.
  void Run(const void* source, void* values, void* indices, int64_t begin, int64_t end) const;

  // Returns the plan, and the name of the code; "" where nothing is computed.
  const TopKPlan& plan() const { return plan_; }
  absl::string_view kernel_name() const;

 private:
  explicit TopKKernel(const TopKSpec& spec) : spec_(spec) {}

  // Select from a row, and from `count` rows side by side, as many as the code makes at once. `source` is the first
  // element, and the first value lies `offset` bytes behind that of all.
  void SelectFromRow(const uint8_t* source, void* values, void* indices, int64_t offset) const;
  void SelectSideBySide(const uint8_t* source, int64_t count, void* values, void* indices, int64_t offset) const;
  // Writes what was selected, whose indices come in the order of values and may be sorted otherwise.
  void Write(const uint8_t* source, int32_t* selected, void* values, void* indices, int64_t offset) const;

  // Writes `count` selections of one element side by side.
  void WriteSingle(const uint8_t* source, const int32_t* found, int64_t count, void* values, void* indices,
                   int64_t offset) const;

  TopKSpec spec_;
  TopKPlan plan_;
  int64_t lanes_ = 1;
  CachedCode code_;
  int64_t work_items_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_TOP_K_TOP_K_H_

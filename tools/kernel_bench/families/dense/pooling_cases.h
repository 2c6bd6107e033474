// Lists poolings of images: those of models, and some that are drawn.
//
// Use it for the cases of the family `pooling` (pooling_family.h). Values and pure functions, hence thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_POOLING_CASES_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_POOLING_CASES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "tools/kernel_bench/case_set.h"

namespace burin::kernel_bench {

// Is a pooling of one square image by a square window: the maximum, or the average of what is no padding.
struct PoolingCase {
  bool is_max = true;
  int64_t channels = 1;
  // Of the input, in pixels; of the window; its stride; and what is missing at each end.
  int64_t size = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t pad = 0;

  int64_t output_size() const { return (size + 2 * pad - kernel) / stride + 1; }

  // Returns a name such as "max64/112/k3s2p1", and reads it; nullopt for any other text.
  std::string Name() const;
  static std::optional<PoolingCase> Parse(absl::string_view name);

  // Returns what our kernel does, on dense tensors whose channels are innermost.
  jit::PoolingSpec Spec() const;
};

// Returns the poolings that represent all kinds.
std::vector<PoolingCase> UsualPoolings();

// Returns those of a set, each once. Drawn ones have 16 to 1,024 channels, images of 7 to 112 and windows of 2 to 5.
std::vector<PoolingCase> PoolingsOf(const CaseSet& set);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_POOLING_CASES_H_

// Lists products of matrices: those of models, and some that are drawn.
//
// Use it for the cases of the family `gemm` (gemm_family.h). Pure functions, hence thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_SETS_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_SETS_H_

#include <vector>

#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/families/dense/gemm_work.h"

namespace burin::kernel_bench {

// Returns the products that represent all kinds: small, large, with few rows, and with B as it comes.
std::vector<GemmCase> UsualGemms();

// Returns those of a set, each once. Drawn ones have M of 1 to 2,048, N and K of 64 to 4,096, and no more than
// CaseSet::kMostDrawn multiply-adds.
std::vector<GemmCase> GemmsOf(const CaseSet& set);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_SETS_H_

// Measures products of matrices against the register FMA loop and other libraries.
//
// A new case is a line in gemm_family.cc. Stateless, thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_FAMILY_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_FAMILY_H_

#include <memory>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Returns the family "gemm".
std::unique_ptr<Family> GemmFamily();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_FAMILY_H_

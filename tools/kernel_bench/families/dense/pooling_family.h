// Is the family of poolings of images: maximum and average.
//
// Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_POOLING_FAMILY_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_POOLING_FAMILY_H_

#include <memory>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Returns it.
std::unique_ptr<Family> PoolingFamily();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_POOLING_FAMILY_H_

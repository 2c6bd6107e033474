// Lists every family of cases.
//
// Thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FAMILIES_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FAMILIES_H_

#include <memory>
#include <vector>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Returns them in the order of the report.
std::vector<std::unique_ptr<Family>> AllFamilies();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FAMILIES_H_

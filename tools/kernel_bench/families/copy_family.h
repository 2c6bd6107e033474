// Benchmarks movements of data: copies, transposes, broadcasts.
//
// Contenders: our plan at each width of the machine, a copy of as many bytes over the same buffers, and the peers that
// transpose. Immutable.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_COPY_FAMILY_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_COPY_FAMILY_H_

#include <memory>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Makes the family "copy".
std::unique_ptr<Family> CopyFamily();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_COPY_FAMILY_H_

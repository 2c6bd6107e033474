// Benchmarks every element-wise function that can be emitted.
//
// Cases are FUNCTION/ROWSxCOLUMNS. Contenders: our kernel at each width of the machine, a copy over the same buffers,
// an FMA loop in registers, and the peers that have the function. Immutable.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_ELEMENTWISE_FAMILY_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_ELEMENTWISE_FAMILY_H_

#include <memory>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Makes the family "elementwise".
std::unique_ptr<Family> ElementwiseFamily();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_ELEMENTWISE_FAMILY_H_

// Is the family of convolutions of images: direct, by Winograd's method, and depthwise.
//
// Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_CONVOLUTION_FAMILY_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_CONVOLUTION_FAMILY_H_

#include <memory>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Returns it.
std::unique_ptr<Family> ConvolutionFamily();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_CONVOLUTION_FAMILY_H_

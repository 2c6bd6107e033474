// Lists kernels of the families in jit/kernels, each for some typical spec.
//
// A part of the list in tools/jit_dump/kernels.h. Stateless, thread-safe.
#ifndef BURIN_TOOLS_JIT_DUMP_FAMILY_KERNELS_H_
#define BURIN_TOOLS_JIT_DUMP_FAMILY_KERNELS_H_

#include <vector>

#include "tools/jit_dump/generator.h"

namespace burin::jit_dump {

// Appends those of products, convolutions and Winograd's transforms.
void AddDenseKernels(std::vector<Generator>& generators);

// Appends those of poolings, gathers, resamplings, running sums and selections.
void AddSelectionKernels(std::vector<Generator>& generators);

}  // namespace burin::jit_dump

#endif  // BURIN_TOOLS_JIT_DUMP_FAMILY_KERNELS_H_

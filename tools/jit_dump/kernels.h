// Lists every kernel that can be generated without a model, and finds one by its name.
//
// Use it to look at code: of any instruction set level on any machine. Not for running kernels. Thread-safe.
#ifndef BURIN_TOOLS_JIT_DUMP_KERNELS_H_
#define BURIN_TOOLS_JIT_DUMP_KERNELS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "tools/jit_dump/generator.h"

namespace burin::jit_dump {

// Returns those of the emitters' catalogue, of the movements of data, of the families of kernels and of the loops that
// limits are measured by, sorted by name.
std::vector<Generator> AllGenerators();

// Returns the target that is nothing but `level`.
absl::StatusOr<jit::Target> TargetOf(jit::IsaLevel level);

// Returns the code of the kernel `name`: of a generator's name at the highest level that has it, or of a kernel's own
// name at the highest level where it is called so. Of `level` alone where one is given. NotFound, naming those that are
// spelled alike, where there is none; else fails as the generator does.
absl::StatusOr<jit::CodeBlob> FindKernel(absl::Span<const Generator> generators, absl::string_view name,
                                         const std::optional<jit::IsaLevel>& level);

// Returns a line for each generator: its name, and what its kernels are called at each level, of `level` alone where
// one is given; levels that change neither the name nor the code are left out.
std::string ListKernels(absl::Span<const Generator> generators, const std::optional<jit::IsaLevel>& level);

}  // namespace burin::jit_dump

#endif  // BURIN_TOOLS_JIT_DUMP_KERNELS_H_

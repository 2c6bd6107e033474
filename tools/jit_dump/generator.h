// Generates the code of one kernel for any target.
//
// What the lists of tools/jit_dump/kernels.h consist of. As thread-safe as the function in it.
#ifndef BURIN_TOOLS_JIT_DUMP_GENERATOR_H_
#define BURIN_TOOLS_JIT_DUMP_GENERATOR_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"

namespace burin::jit_dump {

// Generates the code of one kernel, whose own name tells widths and the like.
struct Generator {
  // Such as "row_Exp": the same at every level.
  std::string name;
  // Fails with Unimplemented where the target lacks what the kernel is about.
  std::function<absl::StatusOr<jit::CodeBlob>(const jit::Target& target)> generate;
};

}  // namespace burin::jit_dump

#endif  // BURIN_TOOLS_JIT_DUMP_GENERATOR_H_

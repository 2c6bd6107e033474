// Shows what becomes of the body of a Subgraph: its primitive operations, its loops and its code.
//
// Use it to look at fused kernels, of any instruction set level on any machine. Not for running them. Thread-safe.
#ifndef BURIN_TOOLS_JIT_DUMP_FUSED_H_
#define BURIN_TOOLS_JIT_DUMP_FUSED_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"

namespace burin::jit_dump {

// Holds a fused kernel in its forms.
struct FusedForms {
  // The body in primitive operations, as ir::PrintModel() prints it; empty where there was none.
  std::string body;
  // As LinearIr::ToString() prints it.
  std::string linear_ir;
  jit::CodeBlob code;
};

// Returns the forms of the body that `text` is, a model of static shapes in the textual form. Fails where that does not
// parse, and as snippets::Decompose() and snippets::FusedKernel::Create() do.
absl::StatusOr<FusedForms> FormsOfBody(absl::string_view text, const jit::Target& target);

// Returns the forms of the kernel that `text` is, a linear IR. Fails as snippets::ParseLinearIr() and
// snippets::GenerateKernel() do.
absl::StatusOr<FusedForms> FormsOfLinearIr(absl::string_view text, const jit::Target& target);

}  // namespace burin::jit_dump

#endif  // BURIN_TOOLS_JIT_DUMP_FUSED_H_

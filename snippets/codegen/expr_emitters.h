// Finds the emitters of all expressions of a linear IR.
//
// Use it in code generation, once for all attempts at a kernel. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_EXPR_EMITTERS_H_
#define BURIN_SNIPPETS_CODEGEN_EXPR_EMITTERS_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/emitters/row_kernel.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Holds the emitter of each expression that computes, by its index; they do not depend on how many vectors are taken.
using ExprEmitters = std::vector<std::optional<jit::RowFunction>>;

// Returns those of `ir`. Unimplemented, with the reason, where an operation has none.
absl::StatusOr<ExprEmitters> FindExprEmitters(const LinearIr& ir);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_EXPR_EMITTERS_H_

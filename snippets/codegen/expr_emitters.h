// Finds the emitters of all expressions of a linear IR.
//
// Use it in code generation, once for all attempts at a kernel. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_EXPR_EMITTERS_H_
#define BURIN_SNIPPETS_CODEGEN_EXPR_EMITTERS_H_

#include <optional>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/wide/wide_function.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Is the emitter of an operation: on narrow lanes alone, or one in which wide ones take part (snippets/linear/lane.h).
using ExprEmitter = std::variant<jit::RowFunction, jit::WideFunction>;

// Holds the emitter of each expression that computes, by its index; they do not depend on how many vectors are taken.
using ExprEmitters = std::vector<std::optional<ExprEmitter>>;

// Returns those of `ir`. Unimplemented, with the reason, where an operation has none, or where a value has no
// lanes or is loaded or stored as another type, one of which has wide ones.
absl::StatusOr<ExprEmitters> FindExprEmitters(const LinearIr& ir);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_EXPR_EMITTERS_H_

// Joins the element-wise operations of ir with the emitters of jit, where wide lanes take part
// (snippets/linear/lane.h).
//
// Use it as snippets/codegen/ops/op_emitter.h for operations on narrow lanes alone. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_OPS_WIDE_OP_EMITTER_H_
#define BURIN_SNIPPETS_CODEGEN_OPS_WIDE_OP_EMITTER_H_

#include "absl/status/statusor.h"
#include "ir/attributes.h"
#include "ir/op_def.h"
#include "jit/emitters/wide/wide_function.h"
#include "snippets/codegen/ops/op_emitter.h"

namespace burin::snippets {

// Returns whether elements of the operation's inputs or output are in wide lanes.
bool IsWideOp(const OpSignature& signature);

// Returns the emitter of an element-wise operation of which that is so; narrow elements are as EmitterOf() has them,
// and the constants of the signature do not count. Unimplemented, with the reason, where there is none.
absl::StatusOr<jit::WideFunction> WideEmitterOf(const ir::OpDef& op, const ir::Attributes& attributes,
                                                const OpSignature& signature);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_OPS_WIDE_OP_EMITTER_H_

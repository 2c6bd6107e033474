// Looks operations up by code or name, and declares each one's definition.
//
// `const OpDef& SoftmaxOp()` and so on: one accessor per line of ops.inc, defined in the op's own file. Stateless,
// thread-safe.
#ifndef BURIN_IR_OPS_OPS_H_
#define BURIN_IR_OPS_OPS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"

namespace burin::ir {

#define BURIN_OP(name) const OpDef& name##Op();
#include "ir/ops/ops.inc"
#undef BURIN_OP

// Returns every operation, in order of name.
absl::Span<const OpDef* const> AllOps();

// Returns the operation with that name, or null.
const OpDef* FindOp(absl::string_view name);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_OPS_H_

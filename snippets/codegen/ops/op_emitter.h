// Joins the element-wise operations of ir with the emitters of jit.
//
// Use it to find out whether an operation can be part of a fused kernel, and to emit it. The one place that knows both.
// Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_OPS_OP_EMITTER_H_
#define BURIN_SNIPPETS_CODEGEN_OPS_OP_EMITTER_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/op_def.h"
#include "jit/emitters/row_kernel.h"

namespace burin::snippets {

// Describes what is known of the inputs and the output of an operation.
struct OpSignature {
  // The element types of the inputs, and for each the 4 bytes of its element if it is a scalar constant.
  absl::Span<const ElementType> inputs;
  absl::Span<const std::optional<uint32_t>> constants;
  ElementType output = ElementType::kUndefined;
};

// Returns the emitter of an element-wise operation on narrow lanes (snippets/linear/lane.h; those with wide ones are in
// snippets/codegen/ops/wide_op_emitter.h): floats are f32, integers and booleans 32 bits wide, in range for
// their type before and after. It takes the first `inputs` of the operation's inputs, which may be fewer than those:
// the others are constants that it has bound. Unimplemented, with the reason, where there is none.
absl::StatusOr<jit::RowFunction> EmitterOf(const ir::OpDef& op, const ir::Attributes& attributes,
                                           const OpSignature& signature);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_OPS_OP_EMITTER_H_

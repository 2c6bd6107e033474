// Cuts a tensor into consecutive pieces along one axis: what Split and VariadicSplit share.
//
// Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_AXIS_PIECES_H_
#define BURIN_IR_OPS_FAMILY_AXIS_PIECES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/ops/family/integer_input.h"
#include "ir/reference_context.h"

namespace burin::ir {

// More outputs than this are refused: no model has them, and each costs memory before any data is seen.
inline constexpr int64_t kMaxPieces = 65536;

// Hands the content of input 0 on to the outputs, whose shapes are set and static where it can travel.
void PropagatePieces(InferContext& context);

// Copies consecutive pieces of input 0 along `axis` to the outputs; each piece's length is that of its output.
absl::Status CopyPieces(ReferenceContext& context, int64_t axis);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_AXIS_PIECES_H_

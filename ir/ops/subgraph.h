// What readers of a Subgraph ask of its body. For the op itself see ir/ops/ops.h.
//
// A Subgraph has no attributes: its inputs are the parameters of its one body in their order, its outputs the body's
// results in theirs. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_SUBGRAPH_H_
#define BURIN_IR_OPS_SUBGRAPH_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/tolerance.h"

namespace burin::ir {

// Returns the loosest tolerance among the operations of `body`: how far a Subgraph of it may be from the reference. The
// op's own class is the loosest of all, whatever the body.
ToleranceClass SubgraphTolerance(const Model& body);

// Returns the arithmetic of `body` for parameters of the given static shapes, in order: the sum of its operations'.
// What they read and write does not count. InvalidArgument where the body refuses the parameters.
absl::StatusOr<double> SubgraphFlops(const Model& body, absl::Span<const ValueInfo* const> parameters);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SUBGRAPH_H_

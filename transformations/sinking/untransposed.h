// What an operation becomes when the Transposes above its data go: f(Transpose(x, p)) = Transpose(f'(x), q).
//
// f' is f with its axes, lists and constants in the order of x; q is p where f keeps the dimensions. For the rules that
// move Transposes; whether that is worth it is for them to judge. Stateless, thread-safe.
//
//   element-wise              the other operands: transposed alike, of one element, or constants, which are transposed
//                             back (of lower rank: after leading ones)
//   Concat, Split, VariadicSplit, Softmax, LogSoftmax, TopK, CumSum   the axis moves; so do all inputs of Concat
//   Reduce*, Squeeze, Unsqueeze, Gather                               the axes move; q drops or gains dimensions
//   Slice, StridedSlice, Pad, Tile, Interpolate                       the axes or the lists per dimension move
//
// All to the bit: a reduction and an interpolation along several axes must go through them in the same order. Axes that
// are not known, and Converts to a wider type (which the pass for those moves down past Transposes), are refused.
#ifndef BURIN_TRANSFORMATIONS_SINKING_UNTRANSPOSED_H_
#define BURIN_TRANSFORMATIONS_SINKING_UNTRANSPOSED_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "transformations/cleanup/permutation.h"

namespace burin::transformations {

struct Untransposed {
  ir::NodeSpec spec;  // f'
  // For each output the order of the Transpose that gives what the node gave.
  std::vector<Permutation> orders;
};

// Returns the order of the Transpose that gives the value; nullopt where none does, where the order is not known or is
// that of the dimensions as they are, and where the Transpose belongs to the decompression of weights.
std::optional<Permutation> TransposedBy(const ir::Model& model, ir::Value value);

// Returns whether the node is of an operation that Untranspose() knows.
bool MayUntranspose(const ir::Node& node);

// Returns the node without the Transposes above its data, at least one of which is there, and adds the constants that
// it needs to the patch. nullopt where that is not possible; `context` is told why.
absl::StatusOr<std::optional<Untransposed>> Untranspose(const ir::Model& model, const ir::Node& node,
                                                        const ir::PassContext& context, ir::Patch* patch);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_SINKING_UNTRANSPOSED_H_

// Takes apart the body of a Subgraph with a dense anchor: a product of matrices, a convolution or a pooling, and the
// element-wise operations on its result.
//
// Use it where such a Subgraph is made (snippets/tokenize) and where it is run: the anchor becomes a dense kernel of
// jit/kernels, the rest its epilogue (snippets/epilogue). What comes before the anchor is not in such a body: its
// inputs are parameters. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_ANCHOR_ANCHORED_BODY_H_
#define BURIN_SNIPPETS_ANCHOR_ANCHORED_BODY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/op_def.h"

namespace burin::snippets {

// Returns whether operations of this kind are anchors: MatMul, convolutions and transposed ones, grouped or not,
// MaxPool and AvgPool.
bool IsAnchor(const ir::OpDef& op);

// Returns the anchor of `body`, or null where it has none.
const ir::Node* AnchorOf(const ir::Model& body);

// Returns which axis of an anchor's result is the columns of an epilogue: see AnchoredBody. Requires that its rank is
// known.
int64_t ColumnAxisOf(const ir::Node& anchor);

// Is a body as two parts.
//
// An epilogue sees the anchor's result as a matrix: its columns are the last axis of a MatMul and the channels (axis 1)
// of all others; its rows are the other axes, in their order. So with channels last in memory, rows and columns are in
// memory as they are here.
struct AnchoredBody {
  // Is of the body given, which has to outlive this.
  const ir::Node* anchor = nullptr;
  // For each input of the anchor the parameter of the body, -1 where it is absent.
  std::vector<int32_t> anchor_inputs;
  // As Epilogue::Create() takes it: primitive operations (snippets/decompose), the first parameter the accumulators of
  // shape [rows, columns], both dynamic, of the type of the anchor's result; the other parameters and the constants of
  // the forms [rows, columns], [1, columns], [rows, 1] and [1, 1], or [] where it was that before; the results those of
  // the body, in its order.
  std::unique_ptr<ir::Model> epilogue;
  // For each parameter of the epilogue from the second on the parameter of the body; one that is read in two forms is
  // there twice.
  std::vector<int32_t> epilogue_inputs;
};

// Splits `body`. Unimplemented, with the reason, where something is not of these forms: an operation that is not
// element-wise, an operand that is neither full nor of one value a column, a row or in all, a result that is not of the
// anchor's shape, an input of the anchor that is no parameter, a product with a vector (its last axis is no column);
// InvalidArgument where it has no anchor or several.
absl::StatusOr<AnchoredBody> SplitAnchored(const ir::Model& body);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_ANCHOR_ANCHORED_BODY_H_

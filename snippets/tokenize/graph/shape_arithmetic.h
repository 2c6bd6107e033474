// Finds the values of a model that shapes are computed from.
//
// Use it to keep them where inference sees them: what a kernel computes is known after it has run. Stateless,
// thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_GRAPH_SHAPE_ARITHMETIC_H_
#define BURIN_SNIPPETS_TOKENIZE_GRAPH_SHAPE_ARITHMETIC_H_

#include <vector>

#include "absl/types/span.h"
#include "ir/model.h"

namespace burin::snippets {

// Returns for each node id below id_bound() whether inference would know less of a shape if it knew nothing of what the
// node gives: a value whose content travels to a Reshape, say. `order` is a topological order of the model.
std::vector<bool> FindShapeArithmetic(const ir::Model& model, absl::Span<const ir::NodeId> order);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_GRAPH_SHAPE_ARITHMETIC_H_

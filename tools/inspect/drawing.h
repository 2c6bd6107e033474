// Draws a model: as Graphviz DOT, and as an SVG picture that needs no other program.
//
// Constants are not drawn; their shapes appear in the box of the operation that reads them. Stateless, thread-safe.
#ifndef BURIN_TOOLS_INSPECT_DRAWING_H_
#define BURIN_TOOLS_INSPECT_DRAWING_H_

#include <string>

#include "absl/status/statusor.h"
#include "ir/model.h"

namespace burin::inspect {

// Returns a digraph with a node per operation and an edge per value, labelled with type and shape. InvalidArgument
// where the model has a cycle.
absl::StatusOr<std::string> DrawDot(const ir::Model& model);

// Returns an SVG picture: operations in rows by their distance from the inputs, a line per value. InvalidArgument as
// above.
absl::StatusOr<std::string> DrawSvg(const ir::Model& model);

}  // namespace burin::inspect

#endif  // BURIN_TOOLS_INSPECT_DRAWING_H_

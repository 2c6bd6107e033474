// Turns the body of a Subgraph into loops.
//
// Use it on what BodyGraph::Create() describes. Every operation is placed into the loops over the axes along which it
// varies, in the first such loop in which all that it reads is complete; a value that is read in another loop than the
// one that computes it is computed again there where that is cheap, and goes through a buffer where it is not. Nothing
// here knows an operation but by its cost. Stateless.
#ifndef BURIN_SNIPPETS_LOWERING_LOWER_H_
#define BURIN_SNIPPETS_LOWERING_LOWER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"

namespace burin::snippets {

// Says what vectors there are.
struct VectorFile {
  // Elements in one, of whatever type: those of 64 bits take two registers.
  int lanes = 16;
  int registers = 32;
};

// Is a kernel and the sizes that it was lowered for.
struct LoweredKernel {
  LinearIr ir;
  // Of each axis.
  std::vector<int64_t> extents;
  // Of each operand: the place of its first element, and its stride along each axis, in bytes; 0 for buffers, which
  // whoever runs the kernel lays out.
  std::vector<int64_t> offsets;
  std::vector<std::vector<int64_t>> strides;
};

// Lowers `graph`, which describes `body`. The result is verified. Unimplemented, naming the operation, for what lanes
// cannot compute. Of the graph's extents only that of the vector axis matters to the loops, and only where
// it is declared and takes kMaxBlockVectors or fewer.
absl::StatusOr<LoweredKernel> Lower(const BodyGraph& graph, const ir::Model& body, const VectorFile& vectors,
                                    const std::string& name);

// The axes of a tile.
inline constexpr int kTileRows = 0;
inline constexpr int kTileColumns = 1;

// Lowers `graph`, which describes `body` with axes as declared, for a tile of rows (kTileRows) and columns
// (kTileColumns, the vector axis, which has no loop): what rows share is computed at the root, the rest in a loop over
// rows. Otherwise as Lower().
absl::StatusOr<LoweredKernel> LowerTile(const BodyGraph& graph, const ir::Model& body, const std::string& name);

// The most vectors that a vector axis without loops takes.
inline constexpr int kMaxBlockVectors = 8;

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_LOWER_H_

// Says along which axes the values of a primitive body vary, and what of it is reduced: what a kernel of it iterates
// over.
//
// Use it for what there is to know of an operation before groups grow (iteration_space.h). It says what
// snippets/lowering would find, but for views of memory, about which it is careful, and also for dynamic shapes. Plain
// data.
#ifndef BURIN_SNIPPETS_TOKENIZE_BODY_SPACE_H_
#define BURIN_SNIPPETS_TOKENIZE_BODY_SPACE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/partial_shape.h"

namespace burin::snippets {

// Returns the extents that costs are reckoned with. Of dynamic dimensions they are typical ones within their bounds: 1
// for the first dimension, which mostly is a batch, unless it is the only one, and 256 for others.
std::vector<double> TypicalExtents(const ir::PartialShape& shape);
// Returns the bytes of a value, by typical extents.
double TypicalBytes(const ir::ValueInfo& info);

// Bit i is axis i.
using AxisMask = uint64_t;

// Is one axis of a space.
struct SpaceAxis {
  double extent = 1;
  bool is_dynamic = false;
  // How far from the innermost dimension of a value it lies at most: the larger, the further outside.
  int depth = 0;
  bool is_reduced = false;
  // The axes along which a computed value varies that varies along this one, itself included.
  AxisMask together = 0;
};

// Is the work along one set of axes.
struct SpaceWork {
  AxisMask axes = 0;
  // Vector instructions per vector of elements: of operations that are repeated where that saves a buffer, of others,
  // and of reductions, whose results vary along other axes.
  double cheap = 0;
  double dear = 0;
  double reducing = 0;
};

// Is how one value is read and written: for each dimension the axis, or -1 for an extent of 1.
struct ValueAccess {
  // Whether it is computed here, and whether it must then be memory: it is read as a view that no axes describe.
  std::optional<std::vector<int>> made;
  bool made_in_memory = false;
  // As operations read it; readers share its dimensions.
  std::optional<std::vector<int>> read;
  // As it is read through Transposes and reshapes, each with dimensions of its own as long as it is memory.
  std::vector<std::vector<int>> renamed;
  // Whether it is read as a view that no axes describe.
  bool read_in_memory = false;
};

// Is the space of a body: its axes, its work, and how it accesses its parameters and results, in order.
struct BodySpace {
  std::vector<SpaceAxis> axes;
  std::vector<SpaceWork> work;
  std::vector<ValueAccess> parameters;
  std::vector<ValueAccess> results;
};

inline constexpr int kMaxSpaceAxes = 64;

// Returns the space of a body of primitive operations (snippets/decompose/primitive.h). Unimplemented where it has more
// than kMaxSpaceAxes axes.
absl::StatusOr<BodySpace> DescribeBody(const ir::Model& primitive);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_BODY_SPACE_H_

// Numbers the axes of a body, from the classes of its dimensions (snippets/lowering/axis_classes.h).
//
// Use it once all of a body has been walked (snippets/lowering/body_graph.h) and no classes are united any more. Knows
// values by their dimensions and memory by strides, and no operation. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_LOWERING_AXIS_NUMBERING_H_
#define BURIN_SNIPPETS_LOWERING_AXIS_NUMBERING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/axis_classes.h"

namespace burin::snippets {

// Is one dimension of an access to memory.
struct AccessDim {
  DimId dim = kNoDim;
  // As ViewDim (snippets/lowering/memory_view.h) has them.
  int64_t stride = 0;
  int position = 0;
  bool packed = true;
  int64_t step = 0;
};

// Is a value, or an access to memory, in dimensions.
struct ValueDims {
  // Says who names axes first: what is written, then what is read, then what is computed. The others name none.
  enum class Rank : uint8_t { kStore, kLoad, kCompute, kNone };

  Rank rank = Rank::kNone;
  // Of the result, or of what is stored.
  std::vector<DimId> dims;
  // Of the memory, by position.
  std::vector<AccessDim> access;
  std::vector<DimId> reduced;
};

// Is the same in axes.
struct ValueAxes {
  AxisSet axes = 0;
  AxisSet reduced = 0;
  // Of an access: the stride along each axis, in bytes (none where it has no axes), and along which one elements lie
  // side by side, or unit_step elements apart, or -1; as BodyNode has them.
  std::vector<int64_t> strides;
  int unit_axis = -1;
  int unit_step = 1;
};

struct AxisNumbering {
  // Of each axis, from the outermost on; declared ones AxisClasses::kUndeclared where that is not known.
  std::vector<int64_t> extents;
  std::vector<int64_t> declared_extents;
  // Of each value.
  std::vector<ValueAxes> values;

  // Numbers the axes of `values`; neighbours that nothing tells apart become one where `merges`. Unimplemented where
  // there are more than a kernel has, before any become one, or where a value other than one that is loaded varies
  // twice along one: `body` is its name.
  static absl::StatusOr<AxisNumbering> Create(const std::vector<ValueDims>& values, AxisClasses& classes, bool merges,
                                              absl::string_view body);
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_AXIS_NUMBERING_H_

// Says along which axes every value of a Subgraph's body varies, however its dimensions are broadcast or permuted.
//
// Use it as the first step of lowering. Dimensions that element-wise operations bring together are one axis; dimensions
// of extent 1 are none. Transposes and reshapes that insert or remove dimensions of extent 1 disappear: they only say
// in which order a value's dimensions are named; what other views there are of an input is said by strides and an
// offset, and so are the pieces that an output is joined of. The body is of the primitive operations of
// snippets/decompose. Plain data.
//
// Where a body's shapes are dynamic, all but extents, strides and offsets depends on the declared shapes alone, and is
// the same for all sizes under which the same dimensions are broadcast: a dimension that happens to be 1 is an axis all
// the same, unless it meets a larger one.
#ifndef BURIN_SNIPPETS_LOWERING_BODY_GRAPH_H_
#define BURIN_SNIPPETS_LOWERING_BODY_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/axis_classes.h"
#include "snippets/lowering/memory_view.h"

namespace burin::snippets {

// Is one operation on elements, or an access to memory.
struct BodyNode {
  enum class Kind : uint8_t { kLoad, kConstant, kCompute, kReduce, kStore };

  Kind kind = Kind::kCompute;
  // Indices of nodes, all below this one's.
  std::vector<int32_t> inputs;
  // Of the result: its element type and the axes along which it varies. Of a store: the axes of what it stores into.
  ElementType type = ElementType::kUndefined;
  AxisSet axes = 0;
  // Of kLoad and kStore: which input or output; the place of the first element and the stride along each axis, in bytes
  // (an axis that the memory has twice, a diagonal, has the sum); the axis along which elements lie side by side,
  // or unit_step elements apart, whatever the sizes are, or -1.
  int32_t port = 0;
  int64_t offset = 0;
  std::vector<int64_t> strides;
  int unit_axis = -1;
  int unit_step = 1;
  // Of kConstant: one element.
  ir::Tensor constant;
  // Of kCompute and kReduce: the body's node.
  ir::NodeId node = ir::NodeId::kNone;
  // Of kReduce.
  AxisSet reduced = 0;
};

// Is a body.
struct BodyGraph {
  // Inputs of the kernel from this number on are not the body's parameters but these constants.
  int32_t parameter_count = 0;
  std::vector<ir::Tensor> constants;
  // Of each axis, from the outermost on as memory mostly has them.
  std::vector<int64_t> extents;
  // The same where they are declared, kUndeclared where they may be others in other runs.
  std::vector<int64_t> declared_extents;
  std::vector<BodyNode> nodes;

  static constexpr int64_t kUndeclared = AxisClasses::kUndeclared;

  // Says which axes there are: one for neighbours that nothing tells apart, or each as the shapes have it.
  enum class Axes : uint8_t { kMerged, kAsDeclared };

  // Describes a body for dense inputs and outputs. Unimplemented, naming the node, for an operation that is not
  // primitive, a type without lanes, or a value that would have to vary twice along one axis; InvalidArgument for a
  // shape of body.sized that is not static, or that does not broadcast.
  static absl::StatusOr<BodyGraph> Create(const SizedBody& body, Axes axes = Axes::kMerged);

  // Describes a body whose shapes are all static.
  static absl::StatusOr<BodyGraph> Create(const ir::Model& body) { return Create(SizedBody{body, body}); }
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_BODY_GRAPH_H_

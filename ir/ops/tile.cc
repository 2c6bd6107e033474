// Tile: repeats a tensor along its dimensions.
//
//   output[i_0, ..., i_{r-1}] = data[i_0 mod d_0, ..., i_{r-1} mod d_{r-1}]
//
// Inputs: data; repeats (a list of integers). The shorter of data's shape and repeats is filled up with ones in front.
// Output: shape[d] = data.shape[d] * repeats[d].
// Constraints:
//   Tile_c1: repeats is a list of non-negative integers.
//   Tile_c2: the output's dimensions are representable.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

// Repeats the content of a list where the number of repeats is known.
void PropagateTile(InferContext& context, const PartialShape& repeats) {
  const std::optional<PartialValue> content = TravellingContent(context, 0);
  if (!content.has_value() || !repeats.is_static() || repeats.rank() > 1) return;
  const PartialShape& output = context.output(0).shape;
  if (!output.is_static() || output.rank() > 1) return;
  const int64_t count = output.ElementCount().value();
  if (count > kMaxPropagatedElements) return;
  PartialValue tiled;
  for (int64_t i = 0; i < count; ++i) tiled.push_back((*content)[static_cast<size_t>(i) % content->size()]);
  PropagateContent(context, 0, std::move(tiled));
}

absl::Status InferTile(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireRank("Tile_c1", 1, 1));
  BURIN_ASSIGN_OR_RETURN(const PartialShape repeats, ShapeFromInput("Tile_c1", context, 1));
  const PartialShape& data = context.input_shape(0);
  if (!data.has_rank() || !repeats.has_rank()) {
    context.SetOutput(0, context.input_type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const int64_t rank = std::max(data.rank(), repeats.rank());
  PartialShape output;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t data_place = d - (rank - data.rank());
    const int64_t repeats_place = d - (rank - repeats.rank());
    const Dimension size = data_place < 0 ? Dimension(1) : data[data_place];
    output.Append(repeats_place < 0 ? size : size * repeats[repeats_place]);
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Tile_c2", output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  PropagateTile(context, repeats);
  return absl::OkStatus();
}

absl::Status ReferenceTile(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  if (output.element_count() == 0) return absl::OkStatus();
  const Shape& shape = output.shape();
  Shape padded = data.shape();
  padded.insert(padded.begin(), shape.size() - padded.size(), 1);
  // Each output dimension is seen as [repeats, size]; the repeats are not moved by in the data.
  const std::vector<int64_t> data_strides = RowMajorStrides(padded);
  const std::vector<int64_t> output_strides = RowMajorStrides(shape);
  Shape box;
  StridedView source;
  StridedView target;
  for (size_t d = 0; d < shape.size(); ++d) {
    box.insert(box.end(), {shape[d] / padded[d], padded[d]});
    source.strides.insert(source.strides.end(), {0, data_strides[d]});
    target.strides.insert(target.strides.end(), {output_strides[d] * padded[d], output_strides[d]});
  }
  return CopyBox(context, box, data, source, output, target);
}

}  // namespace

const OpDef& TileOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kTile, "Tile", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.infer = &InferTile;
    d.reference = &ReferenceTile;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

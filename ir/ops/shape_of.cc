// ShapeOf: gives the dimensions of its input as a list.
//
//   output[d] = data.shape[d]
//
// Input: data of any shape and type. Output: [rank(data)].
// Constraints:
//   ShapeOf_c1: output_type is i32 or i64.
#include "ir/ops/shape_of.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status InferShapeOf(InferContext& context) {
  const ElementType type = context.attributes<ShapeOfAttributes>().output_type;
  if (type != ElementType::kI64 && type != ElementType::kI32) {
    return ConstraintError("ShapeOf_c1", absl::StrCat("output_type must be i32 or i64; got ", Name(type)));
  }
  const PartialShape& shape = context.input_shape(0);
  if (!shape.has_rank()) {
    context.SetOutput(0, type, PartialShape::OfRank(1));
    return absl::OkStatus();
  }
  context.SetOutput(0, type, PartialShape({Dimension(shape.rank())}));
  PropagateContent(context, 0, shape.dims());
  return absl::OkStatus();
}

absl::Status ReferenceShapeOf(ReferenceContext& context) {
  const Shape& shape = context.input(0).shape();
  if (context.output_type(0) == ElementType::kI32) {
    for (const int64_t dimension : shape) {
      if (dimension > std::numeric_limits<int32_t>::max()) {
        return absl::InvalidArgumentError(absl::StrCat("ShapeOf: a dimension does not fit into i32; got ", dimension));
      }
    }
  }
  context.StoreInts(0, shape);
  return absl::OkStatus();
}

}  // namespace

const OpDef& ShapeOfOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kShapeOf, "ShapeOf", "opset3");
    d.traits = kShapeOnly;
    d.make_attributes = &MakeAttributes<ShapeOfAttributes>;
    d.infer = &InferShapeOf;
    d.reference = &ReferenceShapeOf;
    d.cost = [](const CostContext& context) { return Cost{0, 0, context.OutputBytes()}; };
    return d;
  }();
  return op;
}

}  // namespace burin::ir

// DepthToSpace: spreads the depth dimension over blocks of the spatial dimensions.
//
// Input: data [N, C, x_1, ..., x_K]. Output: [N, C / b^K, x_1 * b, ..., x_K * b] for block size b;
// ir/ops/family/space_block.h has the correspondence of the elements. Constraints:
//   DepthToSpace_c1: data has 3 dimensions or more, and block_size is positive.
//   DepthToSpace_c2: b^K divides the depth.
#include <utility>

#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/space_block.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status InferDepthToSpace(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const int64_t block_elements, BlockElements("DepthToSpace_c1", context));
  const Dimension block(context.attributes<SpaceBlockAttributes>().block_size);
  PartialShape output = context.input_shape(0);
  if (output.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(output[1], DivideExactly("DepthToSpace_c2", output[1], block_elements));
    for (int64_t d = 2; d < output.rank(); ++d) output[d] = output[d] * block;
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("DepthToSpace_c1", output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status ReferenceDepthToSpace(ReferenceContext& context) {
  const Tensor& output = context.output(0);
  const SpaceBlockViews views = ViewSpaceBlocks(context.attributes<SpaceBlockAttributes>(), output.shape());
  return CopyBox(context, views.box, context.input(0), views.depth, output, views.space);
}

}  // namespace

const OpDef& DepthToSpaceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kDepthToSpace, "DepthToSpace", "opset1");
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<SpaceBlockAttributes>;
    d.infer = &InferDepthToSpace;
    d.reference = &ReferenceDepthToSpace;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

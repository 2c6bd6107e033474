// SpaceToDepth: gathers blocks of the spatial dimensions in the depth dimension.
//
// Input: data [N, C, x_1 * b, ..., x_K * b]. Output: [N, C * b^K, x_1, ..., x_K] for block size b;
// ir/ops/family/space_block.h has the correspondence of the elements. Constraints:
//   SpaceToDepth_c1: data has 3 dimensions or more, and block_size is positive.
//   SpaceToDepth_c2: b divides each spatial dimension.
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

absl::Status InferSpaceToDepth(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const int64_t block_elements, BlockElements("SpaceToDepth_c1", context));
  const int64_t block = context.attributes<SpaceBlockAttributes>().block_size;
  PartialShape output = context.input_shape(0);
  if (output.has_rank()) {
    output[1] = output[1] * Dimension(block_elements);
    for (int64_t d = 2; d < output.rank(); ++d) {
      BURIN_ASSIGN_OR_RETURN(output[d], DivideExactly("SpaceToDepth_c2", output[d], block));
    }
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("SpaceToDepth_c1", output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status ReferenceSpaceToDepth(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const SpaceBlockViews views = ViewSpaceBlocks(context.attributes<SpaceBlockAttributes>(), data.shape());
  return CopyBox(context, views.box, data, views.space, context.output(0), views.depth);
}

}  // namespace

const OpDef& SpaceToDepthOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSpaceToDepth, "SpaceToDepth", "opset1");
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<SpaceBlockAttributes>;
    d.infer = &InferSpaceToDepth;
    d.reference = &ReferenceSpaceToDepth;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

// Unsqueeze: inserts dimensions of size 1.
//
// Inputs: data; axes, the places of the new dimensions in the output (integers; negative counts from the output's end).
// Output: rank(data) + number of axes dimensions; those at the axes are 1, the others are data's in order.
// Constraints:
//   Unsqueeze_c1: axes are integers, a list or one scalar.
//   Unsqueeze_c2: each axis lies in [-output rank, output rank), none is named twice.
#include <algorithm>
#include <optional>
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

absl::StatusOr<PartialShape> OutputShape(const PartialShape& data, const std::vector<int64_t>& axes) {
  const int64_t rank = data.rank() + static_cast<int64_t>(axes.size());
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> places, WrapUniqueAxes("Unsqueeze_c2", axes, rank));
  PartialShape output;
  int64_t next = 0;
  for (int64_t d = 0; d < rank; ++d) {
    const bool is_new = std::find(places.begin(), places.end(), d) != places.end();
    output.Append(is_new ? Dimension(1) : data[next++]);
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Unsqueeze_c2", output));
  return output;
}

absl::Status InferUnsqueeze(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> axes, ExactIntegerList("Unsqueeze_c1", context, 1));
  const PartialShape& data = context.input_shape(0);
  const Dimension count = context.input_shape(1).ElementCount();
  if (count.min() > kMaxRank) return ConstraintError("Unsqueeze_c2", "too many axes");
  PartialShape output = PartialShape::DynamicRank();
  if (data.has_rank() && axes.has_value()) {
    BURIN_ASSIGN_OR_RETURN(output, OutputShape(data, *axes));
  } else if (data.has_rank() && count.is_static()) {
    output = PartialShape::OfRank(data.rank() + count.value());
    BURIN_RETURN_IF_ERROR(RequireRepresentable("Unsqueeze_c2", output));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  if (std::optional<PartialValue> content = TravellingContent(context, 0); content.has_value()) {
    PropagateContent(context, 0, *std::move(content));
  }
  return absl::OkStatus();
}

absl::Status ReferenceUnsqueeze(ReferenceContext& context) {
  CopyAll(context.input(0), context.output(0));
  return absl::OkStatus();
}

}  // namespace

const OpDef& UnsqueezeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kUnsqueeze, "Unsqueeze", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.infer = &InferUnsqueeze;
    d.reference = &ReferenceUnsqueeze;
    d.cost = &ViewCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

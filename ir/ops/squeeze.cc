// Squeeze: removes dimensions of size 1.
//
// Inputs: data; optional axes (integers). Output: data without the named dimensions; without axes, or with none named,
// without every dimension that is 1. With allow_axis_skip a named dimension that is not 1 stays; without it that is an
// error, so that the output's rank never depends on the sizes.
// Constraints:
//   Squeeze_c1: axes are integers, a list or one scalar, each in [-rank, rank).
//   Squeeze_c2: without allow_axis_skip, every named dimension is 1.
#include "ir/ops/squeeze.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
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

// Returns `data` without its dimensions of size 1 among those that `may_go` says; dynamic rank where one may be 1 or
// not.
PartialShape DropOnes(const PartialShape& data, const std::vector<bool>& may_go) {
  PartialShape output;
  for (int64_t d = 0; d < data.rank(); ++d) {
    const bool goes = may_go[static_cast<size_t>(d)];
    if (goes && data[d].is_dynamic() && data[d].Contains(1)) return PartialShape::DynamicRank();
    if (!goes || !(data[d] == Dimension(1))) output.Append(data[d]);
  }
  return output;
}

absl::StatusOr<PartialShape> OutputShape(const PartialShape& data, const std::vector<int64_t>& axes, bool skip) {
  std::vector<bool> named(static_cast<size_t>(data.rank()), axes.empty());
  for (const int64_t axis : axes) {
    BURIN_ASSIGN_OR_RETURN(const int64_t d, WrapAxis("Squeeze_c1", axis, data.rank()));
    named[static_cast<size_t>(d)] = true;
  }
  if (axes.empty() || skip) return DropOnes(data, named);
  PartialShape output;
  for (int64_t d = 0; d < data.rank(); ++d) {
    if (!named[static_cast<size_t>(d)]) {
      output.Append(data[d]);
    } else if (!data[d].Contains(1)) {
      return ConstraintError("Squeeze_c2",
                             absl::StrCat("the dimension to remove is not 1; dimension ", d, " of ", data.ToString()));
    }
  }
  return output;
}

absl::Status InferSqueeze(InferContext& context) {
  std::optional<std::vector<int64_t>> axes = std::vector<int64_t>();
  if (context.has_input(1)) {
    BURIN_ASSIGN_OR_RETURN(axes, ExactIntegerList("Squeeze_c1", context, 1));
  }
  const PartialShape& data = context.input_shape(0);
  PartialShape output = PartialShape::DynamicRank();
  if (axes.has_value() && data.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(output, OutputShape(data, *axes, context.attributes<SqueezeAttributes>().allow_axis_skip));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  if (std::optional<PartialValue> content = TravellingContent(context, 0); content.has_value()) {
    PropagateContent(context, 0, *std::move(content));
  }
  return absl::OkStatus();
}

absl::Status ReferenceSqueeze(ReferenceContext& context) {
  CopyAll(context.input(0), context.output(0));
  return absl::OkStatus();
}

}  // namespace

const OpDef& SqueezeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSqueeze, "Squeeze", "opset15");
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<SqueezeAttributes>;
    d.infer = &InferSqueeze;
    d.reference = &ReferenceSqueeze;
    d.cost = &ViewCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

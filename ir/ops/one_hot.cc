// OneHot: marks, along a new dimension, the place that each index names.
//
//   output[..., i, ...] = indices[..., ...] == i ? on_value : off_value    i at `axis`, in 0 .. depth - 1
//
// Inputs: indices (integers of any shape); depth (one integer); on_value, off_value (one element each, of one type).
// Output: indices' shape with depth inserted at the axis. An index outside [0, depth) marks nothing; with
// negative_indices_mode normalize, depth is first added to negative ones.
// Constraints:
//   OneHot_c1: indices are integers; depth is one non-negative integer.
//   OneHot_c2: on_value and off_value are one element each, of one type.
//   OneHot_c3: the axis lies in [-output rank, output rank).
#include "ir/ops/one_hot.h"

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

absl::Status InferOneHot(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("OneHot_c1", 0));
  BURIN_ASSIGN_OR_RETURN(const Dimension depth_value, IntegerScalar("OneHot_c1", context, 1));
  BURIN_ASSIGN_OR_RETURN(const Dimension depth, ToDimension("OneHot_c1", depth_value));
  BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType("OneHot_c2", 2, 3));
  for (int64_t i = 2; i <= 3; ++i) {
    if (!context.input_shape(i).ElementCount().Contains(1)) {
      return ConstraintError(
          "OneHot_c2", absl::StrCat("input ", i, " must be one element; shape ", context.input_shape(i).ToString()));
    }
  }
  const PartialShape& indices = context.input_shape(0);
  PartialShape output = PartialShape::DynamicRank();
  if (indices.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                           WrapAxis("OneHot_c3", context.attributes<OneHotAttributes>().axis, indices.rank() + 1));
    std::vector<Dimension> dims = indices.dims();
    dims.insert(dims.begin() + axis, depth);
    output = PartialShape(std::move(dims));
    BURIN_RETURN_IF_ERROR(RequireRepresentable("OneHot_c1", output));
  }
  context.SetOutput(0, type, std::move(output));
  return absl::OkStatus();
}

absl::Status ReferenceOneHot(ReferenceContext& context) {
  const OneHotAttributes& attributes = context.attributes<OneHotAttributes>();
  const Tensor& output = context.output(0);
  const ElementType type = output.element_type();
  if (output.element_count() == 0) return absl::OkStatus();
  FillElements(type, context.input(3).data(), 0, output.mutable_data(), 0, output.element_count());
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         WrapAxis("OneHot_c3", attributes.axis, static_cast<int64_t>(output.shape().size())));
  const AxisSplit split = SplitAtAxis(output.shape(), axis);
  const std::vector<int64_t> indices = context.InputAsInts(0);
  for (int64_t i = 0; i < static_cast<int64_t>(indices.size()); ++i) {
    int64_t index = indices[static_cast<size_t>(i)];
    if (index < 0 && attributes.negative_indices_mode == NegativeIndicesMode::kNormalize) index += split.length;
    if (index < 0 || index >= split.length) continue;
    const int64_t place = (i / split.inner * split.length + index) * split.inner + i % split.inner;
    CopyElements(type, context.input(2).data(), 0, output.mutable_data(), place, 1);
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& OneHotOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kOneHot, "OneHot", "opset16");
    d.min_inputs = 4;
    d.max_inputs = 4;
    d.make_attributes = &MakeAttributes<OneHotAttributes>;
    d.infer = &InferOneHot;
    d.reference = &ReferenceOneHot;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

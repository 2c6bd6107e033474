// Eye: matrices with ones on one diagonal and zeros elsewhere.
//
//   output[..., i, j] = j - i == diagonal_index ? 1 : 0
//
// Inputs: num_rows, num_columns, diagonal_index (one integer each); optional batch_shape (a list of integers).
// Output: batch_shape + [num_rows, num_columns].
// Constraints:
//   Eye_c1: num_rows and num_columns are one non-negative integer each, diagonal_index is one integer.
//   Eye_c2: batch_shape is a list of non-negative integers.
//   Eye_c3: output_type is numeric, and the output's dimensions are representable.
#include "ir/ops/eye.h"

#include <algorithm>
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

absl::Status InferEye(InferContext& context) {
  const ElementType type = context.attributes<EyeAttributes>().output_type;
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError("Eye_c3", absl::StrCat("output_type must be numeric; got ", Name(type)));
  }
  BURIN_RETURN_IF_ERROR(IntegerScalar("Eye_c1", context, 2).status());
  PartialShape output;
  if (context.has_input(3)) {
    BURIN_RETURN_IF_ERROR(context.RequireRank("Eye_c2", 3, 1));
    BURIN_ASSIGN_OR_RETURN(output, ShapeFromInput("Eye_c2", context, 3));
  }
  for (int64_t i = 0; i < 2; ++i) {
    BURIN_ASSIGN_OR_RETURN(const Dimension value, IntegerScalar("Eye_c1", context, i));
    BURIN_ASSIGN_OR_RETURN(Dimension size, ToDimension("Eye_c1", value));
    if (output.has_rank()) output.Append(std::move(size));
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Eye_c3", output));
  context.SetOutput(0, type, std::move(output));
  return absl::OkStatus();
}

absl::Status ReferenceEye(ReferenceContext& context) {
  const Tensor& output = context.output(0);
  const Shape& shape = output.shape();
  const int64_t rows = shape[shape.size() - 2];
  const int64_t columns = shape[shape.size() - 1];
  const int64_t diagonal = context.InputAsInts(2).front();
  std::vector<int64_t> values(static_cast<size_t>(output.element_count()), 0);
  if (!values.empty() && diagonal > -rows && diagonal < columns) {
    const int64_t matrices = output.element_count() / (rows * columns);
    const int64_t first = std::max<int64_t>(-diagonal, 0);
    const int64_t last = std::min(rows, columns - diagonal);
    for (int64_t m = 0; m < matrices; ++m) {
      for (int64_t i = first; i < last; ++i) {
        values[static_cast<size_t>((m * rows + i) * columns + i + diagonal)] = 1;
      }
    }
  }
  context.StoreInts(0, values);
  return absl::OkStatus();
}

}  // namespace

const OpDef& EyeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kEye, "Eye", "opset9");
    d.min_inputs = 3;
    d.max_inputs = 4;
    d.make_attributes = &MakeAttributes<EyeAttributes>;
    d.infer = &InferEye;
    d.reference = &ReferenceEye;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

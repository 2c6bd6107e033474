// NonZero: the indices of the elements that are not zero.
//
//   output[d, k] = index d of the k-th element, in row-major order, that is not 0 (a NaN is not 0; true is not 0)
//
// Input: data of numbers or booleans. Output: [rank(data), count].
// Constraints:
//   NonZero_c1: output_type is i32 or i64.
#include "ir/ops/non_zero.h"

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

absl::Status InferNonZero(InferContext& context) {
  const ElementType type = context.attributes<NonZeroAttributes>().output_type;
  if (type != ElementType::kI64 && type != ElementType::kI32) {
    return ConstraintError("NonZero_c1", absl::StrCat("output_type must be i32 or i64; got ", Name(type)));
  }
  const PartialShape& data = context.input_shape(0);
  const Dimension rank = data.has_rank() ? Dimension(data.rank()) : Dimension(0, kMaxRank);
  context.SetOutput(0, type, PartialShape({rank, Dimension(0, data.ElementCount().max())}));
  return absl::OkStatus();
}

// Returns which elements of input 0 are not zero.
std::vector<bool> Marks(const ReferenceContext& context) {
  std::vector<bool> marks;
  if (IsFloat(context.input(0).element_type())) {
    for (const double value : context.InputAsDoubles(0)) marks.push_back(value != 0);
  } else {
    for (const int64_t value : context.InputAsInts(0)) marks.push_back(value != 0);
  }
  return marks;
}

absl::Status ReferenceNonZero(ReferenceContext& context) {
  const Shape& shape = context.input(0).shape();
  const std::vector<bool> marks = Marks(context);
  std::vector<std::vector<int64_t>> columns(shape.size());
  int64_t count = 0;
  for (BoxWalker walker(shape, {DenseView(shape)}); !walker.done(); walker.Next()) {
    if (!marks[static_cast<size_t>(walker.position(0))]) continue;
    ++count;
    for (size_t d = 0; d < shape.size(); ++d) columns[d].push_back(walker.index()[d]);
  }
  std::vector<int64_t> indices;
  for (const std::vector<int64_t>& column : columns) indices.insert(indices.end(), column.begin(), column.end());
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(0, {static_cast<int64_t>(shape.size()), count}));
  context.StoreInts(0, indices);
  return absl::OkStatus();
}

}  // namespace

const OpDef& NonZeroOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kNonZero, "NonZero", "opset3");
    d.traits = kDataDependentShape;
    d.make_attributes = &MakeAttributes<NonZeroAttributes>;
    d.infer = &InferNonZero;
    d.reference = &ReferenceNonZero;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

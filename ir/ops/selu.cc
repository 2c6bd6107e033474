// Selu: lambda * x where x > 0, else lambda * alpha * (exp(x) - 1).
//
// Input 0: x, any shape. Inputs 1 and 2: alpha and lambda, one element each. Output 0: the shape and type of x.
//   Selu_c1: the inputs have the same type; it is a floating-point type.
//   Selu_c2: alpha and lambda have rank 0 or 1 and one element.
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferSelu(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.SameType("Selu_c1", 0, 2).status());
  for (const int64_t i : {1, 2}) {
    const PartialShape& shape = context.input_shape(i);
    if (shape.has_rank() && (shape.rank() > 1 || !shape.ElementCount().Contains(1))) {
      return absl::InvalidArgumentError(
          absl::StrCat("Selu_c2: input ", i, " must have one element; got shape ", shape.ToString()));
    }
  }
  return InferUnary(context, "Selu", TypeClass::kFloat);
}

absl::Status ReferenceSelu(ReferenceContext& context) {
  const double alpha = context.InputAsDoubles(1)[0];
  const double lambda = context.InputAsDoubles(2)[0];
  return MapUnary<double, double>(context,
                                  [alpha, lambda](double x) { return lambda * (x > 0 ? x : alpha * std::expm1(x)); });
}

}  // namespace

const OpDef& SeluOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSelu, "Selu", "opset1");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.traits = kElementwise;
    d.tolerance = ToleranceClass::kTranscendental;
    d.infer = &InferSelu;
    d.reference = &ReferenceSelu;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

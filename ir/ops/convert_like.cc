// ConvertLike: input 0 in the type of input 1, by the rules of Convert with its default attributes.
//
// Input 0: any shape. Input 1: any shape; its elements do not matter. Output 0: the shape of input 0, the type of
// input 1.
//   ConvertLike_c1: neither type is string.
#include "absl/status/status.h"
#include "base/float_conversion.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/convert.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferConvertLike(InferContext& context) {
  return InferConversion(context, "ConvertLike_c1", context.input_type(1));
}

absl::Status ReferenceConvertLike(ReferenceContext& context) {
  return ConvertElements(context, /*saturate=*/true, PowerOfTwoRounding::kUp);
}

}  // namespace

const OpDef& ConvertLikeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kConvertLike, "ConvertLike", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.tolerance = ToleranceClass::kRounded;
    d.infer = &InferConvertLike;
    d.reference = &ReferenceConvertLike;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

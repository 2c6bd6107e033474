// PRelu: x where x >= 0, else slope * x; NaN stays NaN.
//
// Input 0: x, any shape. Input 1: slope, which broadcasts to x: along dimension 1 of x, the channels, where it has rank
// 1, x has rank 2 or more and the sizes are the same; else by NumPy's rule. Output 0: the shape and type of x.
// OpenVINO asks for floats; ONNX has integers too, which wrap.
//   PRelu_c1: the inputs have the same type; it is a numeric type.
//   PRelu_c2: slope broadcasts to x.
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

// Returns whether slope runs along the channels: certainly where all is known, else possibly.
bool MayBePerChannel(const PartialShape& x, const PartialShape& slope) {
  return slope.rank() == 1 && x.rank() >= 2 && x[1].MayEqual(slope[0]);
}

absl::Status InferPRelu(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.SameType("PRelu_c1", 0, 1).status());
  BURIN_RETURN_IF_ERROR(InferUnary(context, "PRelu", TypeClass::kNumeric));
  const PartialShape& x = context.input_shape(0);
  const PartialShape& slope = context.input_shape(1);
  if (!x.has_rank() || !slope.has_rank() || MayBePerChannel(x, slope)) return absl::OkStatus();
  absl::StatusOr<PartialShape> shape = BroadcastOnto(BroadcastRule(), x, slope);
  if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("PRelu_c2: ", shape.status().message()));
  context.SetOutput(0, context.input_type(0), *std::move(shape));
  return absl::OkStatus();
}

absl::Status ReferencePRelu(ReferenceContext& context) {
  const Shape& x = context.input(0).shape();
  const Shape& slope = context.input(1).shape();
  BroadcastRule rule;
  if (MayBePerChannel(x, slope)) rule = {AutoBroadcast::kPdpd, 1};
  return ReferenceBinary(context, rule, [](auto a, auto b) { return a < 0 ? WrapMultiply(a, b) : a; });
}

}  // namespace

const OpDef& PReluOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kPRelu, "PRelu", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.tolerance = ToleranceClass::kRounded;
    d.infer = &InferPRelu;
    d.reference = &ReferencePRelu;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

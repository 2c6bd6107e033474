// Convolution: slides filters over the spatial axes; see ir/ops/family/direct_convolution.h for the formula
// and the constraints Convolution_c1 to Convolution_c5.
//
// Inputs:  0 data [N, C_in, spatial...] with 1 to 3 spatial axes, 1 filters [C_out, C_in, kernel...].
// Output:  [N, C_out, windows...], with WindowCount (ir/ops/family/window.h) windows per axis.
#include "ir/ops/convolution.h"

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/direct_convolution.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<ConvolutionAttributes>();
  return InferConvolution(context, "Convolution", Grouping::kNone, attributes);
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<ConvolutionAttributes>();
  return ReferenceConvolution(context, Grouping::kNone, attributes);
}

}  // namespace

const OpDef& ConvolutionOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kConvolution, "Convolution", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<ConvolutionAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &ConvolutionCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

// GroupConvolution: convolutions of groups of channels by groups of filters; see ir/ops/family/direct_convolution.h for
// the formula and the constraints GroupConvolution_c1 to GroupConvolution_c5.
//
// Inputs:  0 data [N, G * C_in, spatial...] with 1 to 3 spatial axes, 1 filters [G, C_out, C_in, kernel...].
// Output:  [N, G * C_out, windows...], with WindowCount (ir/ops/family/window.h) windows per axis.
#include "ir/ops/group_convolution.h"

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/direct_convolution.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<GroupConvolutionAttributes>();
  return InferConvolution(context, "GroupConvolution", Grouping::kGroups, attributes);
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<GroupConvolutionAttributes>();
  return ReferenceConvolution(context, Grouping::kGroups, attributes);
}

}  // namespace

const OpDef& GroupConvolutionOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGroupConvolution, "GroupConvolution", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<GroupConvolutionAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &ConvolutionCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

// GroupConvolutionBackpropData: the transposed convolution of groups of channels; see
// ir/ops/family/direct_convolution.h for the formula and the constraints GroupConvolutionBackpropData_c1 to
// GroupConvolutionBackpropData_c7.
//
// Inputs:  0 data [N, G * C_in, spatial...], 1 filters [G, C_in, C_out, kernel...],
//          2 (optional) the spatial sizes of the output.
// Output:  [N, G * C_out, sizes...]. Without input 2,
//   size = stride * (input - 1) + (kernel - 1) * dilation + 1 - pad_begin - pad_end + output_padding,
// where auto_pad other than explicit means pads of 0. With it, the pads follow from
//   total = max(0, stride * (input - 1) + (kernel - 1) * dilation + 1 - size + output_padding),
// half of it (rounded down) at the beginning; with same_upper, at the end.
#include "ir/ops/group_convolution_backprop_data.h"

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/direct_convolution.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<GroupConvolutionBackpropDataAttributes>();
  return InferTransposedConvolution(context, "GroupConvolutionBackpropData", Grouping::kGroups, attributes,
                                    attributes.output_padding);
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<GroupConvolutionBackpropDataAttributes>();
  return ReferenceTransposedConvolution(context, Grouping::kGroups, attributes, attributes.output_padding);
}

}  // namespace

const OpDef& GroupConvolutionBackpropDataOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGroupConvolutionBackpropData, "GroupConvolutionBackpropData", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 3;
    d.make_attributes = &MakeAttributes<GroupConvolutionBackpropDataAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &TransposedConvolutionCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

// FakeQuantize: rounds x to one of `levels` values that lie evenly between output_low and output_high:
//
//   output_low                                            where x <= min(input_low, input_high)
//   output_high                                           where x > max(input_low, input_high)
//   round((x - input_low) / (input_high - input_low) * (levels - 1)) / (levels - 1) * (output_high - output_low)
//     + output_low                                        elsewhere; round() takes halves to the even integer
//
// Input 0: x, any shape. Inputs 1 to 4: input_low, input_high, output_low, output_high, each broadcasting to x under
// `auto_broadcast`. Output 0: the shape and type of x. NaN stays NaN.
//   FakeQuantize_c1: the inputs have the same type; it is a floating-point type.
//   FakeQuantize_c2: `levels` is 2 or more.
//   FakeQuantize_c3: the limits broadcast to x.
#include "ir/ops/fake_quantize.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

constexpr int64_t kInputs = 5;

absl::Status InferFakeQuantize(InferContext& context) {
  const FakeQuantizeAttributes& attributes = context.attributes<FakeQuantizeAttributes>();
  BURIN_RETURN_IF_ERROR(context.SameType("FakeQuantize_c1", 0, kInputs - 1).status());
  BURIN_RETURN_IF_ERROR(RequireTypeClass(context, "FakeQuantize_c1", 0, TypeClass::kFloat));
  if (attributes.levels < 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("FakeQuantize_c2: levels must be 2 or more; got ", attributes.levels));
  }
  PartialShape shape = context.input_shape(0);
  for (int64_t i = 1; i < kInputs; ++i) {
    absl::StatusOr<PartialShape> narrowed = BroadcastOnto(attributes.broadcast, shape, context.input_shape(i));
    if (!narrowed.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("FakeQuantize_c3: input ", i, ": ", narrowed.status().message()));
    }
    shape = *std::move(narrowed);
  }
  context.SetOutput(0, context.input_type(0), std::move(shape));
  return absl::OkStatus();
}

double Quantize(double x, double input_low, double input_high, double output_low, double output_high, double steps) {
  if (x <= std::min(input_low, input_high)) return output_low;
  if (x > std::max(input_low, input_high)) return output_high;
  const double step = std::nearbyint((x - input_low) / (input_high - input_low) * steps);
  return step / steps * (output_high - output_low) + output_low;
}

absl::Status ReferenceFakeQuantize(ReferenceContext& context) {
  const FakeQuantizeAttributes& attributes = context.attributes<FakeQuantizeAttributes>();
  const double steps = static_cast<double>(attributes.levels - 1);
  std::vector<Operand> operands;
  for (int64_t i = 0; i < kInputs; ++i) operands.push_back(OperandOf(context, i, attributes.broadcast));
  return ComputeByBlocks(context, operands, Domain::kReal,
                         [steps](absl::Span<const void* const> in, void* out, int64_t count) {
                           const double* values[kInputs];
                           for (int64_t k = 0; k < kInputs; ++k)
                             values[k] = static_cast<const double*>(in[static_cast<size_t>(k)]);
                           for (int64_t i = 0; i < count; ++i) {
                             static_cast<double*>(out)[i] =
                                 Quantize(values[0][i], values[1][i], values[2][i], values[3][i], values[4][i], steps);
                           }
                         });
}

// Two comparisons; a subtraction, a division, a multiplication and a rounding; a division, a multiplication, an
// addition.
Cost FakeQuantizeCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 9 * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& FakeQuantizeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kFakeQuantize, "FakeQuantize", "opset1");
    d.min_inputs = kInputs;
    d.max_inputs = kInputs;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<FakeQuantizeAttributes>;
    d.cost = &FakeQuantizeCost;
    d.tolerance = ToleranceClass::kTranscendental;
    d.infer = &InferFakeQuantize;
    d.reference = &ReferenceFakeQuantize;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

// GroupNormalization: normalises groups of channels of each batch by their own mean and variance, then scales and
// shifts each channel.
//
//   y[n, c, ...] = scale[c] * (x[n, c, ...] - mean) / sqrt(variance + epsilon) + bias[c]
//
// with mean and (population) variance over the channels of c's group and all further axes.
//
// Inputs:  0 data [N, C, ...], 1 scale [C], 2 bias [C], of one float type.
// Output:  the data's type and shape.
// Constraints:
//   GroupNormalization_c1: all inputs have one float type.
//   GroupNormalization_c2: the data has rank 2 or more.
//   GroupNormalization_c3: inputs 1 and 2 are lists of as many numbers as the data has channels.
//   GroupNormalization_c4: num_groups is at least 1 and divides the number of channels.
//   GroupNormalization_c5: epsilon is a number of at least 0.
#include "ir/ops/group_normalization.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/channels.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/moments.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<GroupNormalizationAttributes>();
  BURIN_RETURN_IF_ERROR(RequireEpsilon("GroupNormalization_c5", attributes.epsilon));
  BURIN_RETURN_IF_ERROR(context.SameType("GroupNormalization_c1", 0, 2).status());
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("GroupNormalization_c1", 0));
  BURIN_ASSIGN_OR_RETURN(PartialShape output,
                         ShapeWithChannels("GroupNormalization_c2", "GroupNormalization_c3", context));
  const int64_t groups = attributes.num_groups;
  const Dimension channels = output.has_rank() ? output[1] : Dimension();
  if (groups < 1 || (channels.is_static() && channels.value() % groups != 0)) {
    return ConstraintError("GroupNormalization_c4", absl::StrCat("num_groups does not divide the channels: ", groups,
                                                                 " groups, ", channels.ToString(), " channels"));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<GroupNormalizationAttributes>();
  const Shape& shape = context.input(0).shape();
  const int64_t channels = shape[1];
  const int64_t plane = ProductOf(shape, 2, static_cast<int64_t>(shape.size()));
  std::vector<double> values = context.InputAsDoubles(0);
  const std::vector<double> scale = context.InputAsDoubles(1);
  const std::vector<double> bias = context.InputAsDoubles(2);
  if (values.empty()) return absl::OkStatus();
  const int64_t channels_per_group = channels / attributes.num_groups;
  const int64_t group_size = channels_per_group * plane;
  for (int64_t group = 0; group < shape[0] * attributes.num_groups; ++group) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    double* const slice = values.data() + group * group_size;
    const Moments moments = MomentsOf(absl::MakeConstSpan(slice, static_cast<size_t>(group_size)));
    const double factor = 1 / std::sqrt(moments.variance + attributes.epsilon);
    const int64_t first_channel = group % attributes.num_groups * channels_per_group;
    for (int64_t i = 0; i < group_size; ++i) {
      const size_t c = static_cast<size_t>(first_channel + i / plane);
      slice[i] = scale[c] * (slice[i] - moments.mean) * factor + bias[c];
    }
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

// Mean and variance (4 flops an element), normalisation (2), scale and shift (2).
Cost GroupNormalizationCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 8 * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& GroupNormalizationOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGroupNormalization, "GroupNormalization", "opset12");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.make_attributes = &MakeAttributes<GroupNormalizationAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &GroupNormalizationCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

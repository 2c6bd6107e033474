#include "ir/ops/family/softmax_family.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"

namespace burin::ir {

absl::Status InferSoftmaxFamily(InferContext& context, absl::string_view op, int64_t axis) {
  BURIN_RETURN_IF_ERROR(context.RequireFloatType(absl::StrCat(op, "_c1"), 0));
  const PartialShape& shape = context.input_shape(0);
  if (shape.has_rank()) BURIN_RETURN_IF_ERROR(WrapAxis(absl::StrCat(op, "_c2"), axis, shape.rank()).status());
  context.SetOutput(0, context.input_type(0), shape);
  return absl::OkStatus();
}

absl::Status ReferenceSoftmaxFamily(ReferenceContext& context, int64_t axis, SoftmaxLastStep last_step) {
  const Shape& shape = context.input(0).shape();
  BURIN_ASSIGN_OR_RETURN(const int64_t wrapped, NormalizeAxis(axis, static_cast<int64_t>(shape.size())));
  const AxisSplit split = SplitAtAxis(shape, wrapped);
  std::vector<double> values = context.InputAsDoubles(0);
  if (values.empty()) return absl::OkStatus();
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (int64_t inner = 0; inner < split.inner; ++inner) {
      double* const slice = values.data() + outer * split.length * split.inner + inner;
      double largest = slice[0];
      for (int64_t i = 0; i < split.length; ++i) largest = std::max(largest, slice[i * split.inner]);
      double sum = 0;
      for (int64_t i = 0; i < split.length; ++i) sum += std::exp(slice[i * split.inner] - largest);
      for (int64_t i = 0; i < split.length; ++i) {
        double& value = slice[i * split.inner];
        value = last_step(value - largest, sum);
      }
    }
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

Cost SoftmaxFamilyCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 5 * context.OutputElements(0);
  return cost;
}

}  // namespace burin::ir

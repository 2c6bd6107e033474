// LRN: local response normalisation.
//
//   y[i] = x[i] / (bias + alpha / size^n * sum of x[j]^2)^beta
//
// over the elements j inside the data with |j - i| <= size / 2 (rounded down) along each of n axes, and j = i along the
// others.
//
// Inputs:  0 data, of a float type; 1 axes, integers in [-rank, rank), a list.
// Output:  the data's type and shape.
// Constraints:
//   LRN_c1: the data is of a float type.
//   LRN_c2: the axes are different integers in [-rank, rank).
//   LRN_c3: size is at least 1.
#include "ir/ops/lrn.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const int64_t size = context.attributes<LRNAttributes>().size;
  if (size < 1) return ConstraintError("LRN_c3", absl::StrCat("size is below 1: ", size));
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("LRN_c1", 0));
  BURIN_RETURN_IF_ERROR(AxesFromInput("LRN_c2", context, 1, context.input_shape(0)).status());
  context.SetOutput(0, context.input_type(0), context.input_shape(0));
  return absl::OkStatus();
}

// Replaces each element by the sum of those at most `reach` away along one axis. Sums over several axes are sums of
// sums.
void SumNeighbours(const AxisSplit& split, int64_t reach, std::vector<double>* values) {
  std::vector<double> line(static_cast<size_t>(split.length));
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    for (int64_t inner = 0; inner < split.inner; ++inner) {
      double* const slice = values->data() + outer * split.length * split.inner + inner;
      for (int64_t i = 0; i < split.length; ++i) line[static_cast<size_t>(i)] = slice[i * split.inner];
      for (int64_t i = 0; i < split.length; ++i) {
        const int64_t first = i - std::min(i, reach);
        const int64_t last = i + std::min(split.length - 1 - i, reach);
        double sum = 0;
        for (int64_t j = first; j <= last; ++j) sum += line[static_cast<size_t>(j)];
        slice[i * split.inner] = sum;
      }
    }
  }
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<LRNAttributes>();
  const Shape& shape = context.input(0).shape();
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                         SortedAxes("axes", context.InputAsInts(1), static_cast<int64_t>(shape.size())));
  std::vector<double> values = context.InputAsDoubles(0);
  if (values.empty()) return absl::OkStatus();
  std::vector<double> squares = values;
  for (double& square : squares) square *= square;
  for (int64_t axis : axes) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    SumNeighbours(SplitAtAxis(shape, axis), attributes.size / 2, &squares);
  }
  const double area = std::pow(static_cast<double>(attributes.size), static_cast<double>(axes.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] /= std::pow(attributes.bias + attributes.alpha / area * squares[i], attributes.beta);
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

// The square, the sum of `size` squares along one axis, the power and three operations around it.
Cost LRNCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = (5 + static_cast<double>(context.attributes<LRNAttributes>().size)) * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& LRNOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kLRN, "LRN", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<LRNAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &LRNCost;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

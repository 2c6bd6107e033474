// Determinant: of every matrix of a batch.
//
//   y[...] = det x[..., :, :]
//
// by Gaussian elimination with row exchanges, in double. The determinant of a matrix of no elements is 1.
//
// Input 0: [..., m, m], of a float type. Output 0: the shape without the last two axes. Follows ONNX's Det-22.
// Constraints:
//   Determinant_c1: the input is of a float type.
//   Determinant_c2: it has at least two axes.
//   Determinant_c3: its matrices are square.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferDeterminant(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("Determinant_c1", 0));
  const PartialShape& x = context.input_shape(0);
  PartialShape output = PartialShape::DynamicRank();
  if (x.has_rank()) {
    if (x.rank() < 2) {
      return ConstraintError("Determinant_c2", absl::StrCat("matrices have two axes; shape ", x.ToString()));
    }
    if (!x[x.rank() - 1].MayEqual(x[x.rank() - 2])) {
      return ConstraintError("Determinant_c3", absl::StrCat("the matrices are not square; shape ", x.ToString()));
    }
    output = PartialShape(std::vector<Dimension>(x.dims().begin(), x.dims().end() - 2));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

// Returns the determinant of the m x m matrix `a`, row by row, which it changes.
double DeterminantOf(double* a, size_t m) {
  double determinant = 1;
  for (size_t k = 0; k < m; ++k) {
    size_t pivot = k;
    for (size_t row = k + 1; row < m; ++row) {
      if (std::fabs(a[row * m + k]) > std::fabs(a[pivot * m + k])) pivot = row;
    }
    if (pivot != k) {
      for (size_t column = k; column < m; ++column) std::swap(a[pivot * m + column], a[k * m + column]);
      determinant = -determinant;
    }
    const double head = a[k * m + k];
    // The whole column is zero, and so is the determinant, whatever follows.
    if (head == 0) return 0;
    determinant *= head;
    for (size_t row = k + 1; row < m; ++row) {
      const double factor = a[row * m + k] / head;
      for (size_t column = k + 1; column < m; ++column) a[row * m + column] -= factor * a[k * m + column];
    }
  }
  return determinant;
}

absl::Status ReferenceDeterminant(ReferenceContext& context) {
  const auto m = static_cast<size_t>(context.input(0).shape().back());
  std::vector<double> matrices = context.InputAsDoubles(0);
  std::vector<double> determinants(static_cast<size_t>(context.output(0).element_count()));
  for (size_t i = 0; i < determinants.size(); ++i) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    determinants[i] = DeterminantOf(matrices.data() + i * m * m, m);
  }
  context.StoreDoubles(0, determinants);
  return absl::OkStatus();
}

// 2/3 m^3 for each matrix.
Cost DeterminantCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  const PartialShape& x = context.input(0).shape;
  cost.flops = context.InputElements(0) * static_cast<double>(x[x.rank() - 1].value()) * 2 / 3;
  return cost;
}

}  // namespace

const OpDef& DeterminantOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kDeterminant, "Determinant", "internal");
    d.infer = &InferDeterminant;
    d.reference = &ReferenceDeterminant;
    d.cost = &DeterminantCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

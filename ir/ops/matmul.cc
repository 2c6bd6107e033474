// MatMul: products of matrices, batched with broadcasting.
//
//   y[..., i, j] = sum over k of a[..., i, k] * b[..., k, j]
//
// Inputs:  0 a, 1 b, of one numeric type and rank at least 1. transpose_a and transpose_b swap the two innermost axes
//          first. A vector a is a row [1, K], a vector b a column [K, 1]; the axis added is dropped from the output.
// Output:  [broadcast batch..., M, N] of the same type.
// Constraints:
//   MatMul_c1: the inputs have one numeric type.
//   MatMul_c2: both ranks are at least 1.
//   MatMul_c3: the inner sizes agree.
//   MatMul_c4: the batch axes broadcast.
#include "ir/ops/matmul.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

// The matrix view of an input whose sizes are of type D: int64_t, or Dimension while inferring.
template <class D>
struct MatrixView {
  std::vector<D> batch;
  D rows;
  D columns;
};

template <class D>
MatrixView<D> ViewAsMatrices(const std::vector<D>& dims, bool transpose, bool vector_is_row) {
  if (dims.size() == 1) {
    return vector_is_row ? MatrixView<D>{{}, D(1), dims[0]} : MatrixView<D>{{}, dims[0], D(1)};
  }
  MatrixView<D> view{{dims.begin(), dims.end() - 2}, dims[dims.size() - 2], dims[dims.size() - 1]};
  if (transpose) std::swap(view.rows, view.columns);
  return view;
}

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<MatMulAttributes>();
  BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType("MatMul_c1", 0, 1));
  if (!IsFloat(type) && !IsInteger(type)) {
    return absl::InvalidArgumentError(absl::StrCat("MatMul_c1: the type is not numeric: ", Name(type)));
  }
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("MatMul_c2", 0, 1, kMaxRank));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("MatMul_c2", 1, 1, kMaxRank));
  const PartialShape& a = context.input_shape(0);
  const PartialShape& b = context.input_shape(1);
  if (!a.has_rank() || !b.has_rank()) {
    context.SetOutput(0, type, PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const MatrixView<Dimension> left = ViewAsMatrices(a.dims(), attributes.transpose_a, /*vector_is_row=*/true);
  const MatrixView<Dimension> right = ViewAsMatrices(b.dims(), attributes.transpose_b, /*vector_is_row=*/false);
  if (!left.columns.MayEqual(right.rows)) {
    return absl::InvalidArgumentError(absl::StrCat("MatMul_c3: the inner sizes differ: ", a.ToString(),
                                                   attributes.transpose_a ? " transposed" : "", " times ", b.ToString(),
                                                   attributes.transpose_b ? " transposed" : ""));
  }
  absl::StatusOr<PartialShape> output = Broadcast(PartialShape(left.batch), PartialShape(right.batch));
  if (!output.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("MatMul_c4: the batch axes do not broadcast: ", a.ToString(), " and ", b.ToString()));
  }
  if (a.rank() > 1) output->Append(left.rows);
  if (b.rank() > 1) output->Append(right.columns);
  context.SetOutput(0, type, *std::move(output));
  return absl::OkStatus();
}

// Returns the matrices (the two innermost axes, `rows` x `columns` as stored) transposed one by one.
template <class T>
std::vector<T> TransposeMatrices(const std::vector<T>& values, int64_t rows, int64_t columns) {
  std::vector<T> transposed(values.size());
  const int64_t size = rows * columns;
  const int64_t count = size == 0 ? 0 : static_cast<int64_t>(values.size()) / size;
  for (int64_t m = 0; m < count; ++m) {
    const T* const from = values.data() + m * size;
    T* const to = transposed.data() + m * size;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
    }
  }
  return transposed;
}

// y += a * b for dense row-major matrices. Blocks of b of 64 x 512 elements (256 KiB) stay in the second-level cache
// while the rows of a pass.
template <class T>
void MultiplyMatrices(const T* a, const T* b, T* y, int64_t m, int64_t k, int64_t n) {
  constexpr int64_t kInnerBlock = 64;
  constexpr int64_t kColumnBlock = 512;
  for (int64_t j = 0; j < n; j += kColumnBlock) {
    const int64_t columns = std::min(kColumnBlock, n - j);
    for (int64_t p = 0; p < k; p += kInnerBlock) {
      const int64_t last = std::min(k, p + kInnerBlock);
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t q = p; q < last; ++q) AddScaled(a[i * k + q], b + q * n + j, 1, y + i * n + j, 1, columns);
      }
    }
  }
}

// y = a * b^T for dense row-major matrices, b stored as n x k: the form of most weights, which are too large to be
// copied into another order. Sums run four at a time, so that their additions do not wait for each other.
template <class T>
void MultiplyByRows(const T* a, const T* b, T* y, int64_t m, int64_t k, int64_t n) {
  constexpr int64_t kRowBlock = 32;  // Rows of b that stay in the cache while the rows of a pass.
  for (int64_t block = 0; block < n; block += kRowBlock) {
    const int64_t last = std::min(n, block + kRowBlock);
    for (int64_t i = 0; i < m; ++i) {
      const T* const row = a + i * k;
      int64_t j = block;
      for (; j + 4 <= last; j += 4) {
        T sums[4] = {};
        for (int64_t p = 0; p < k; ++p) {
          for (int64_t s = 0; s < 4; ++s) sums[s] = MultiplyAdd(sums[s], row[p], b[(j + s) * k + p]);
        }
        std::copy(sums, sums + 4, y + i * n + j);
      }
      for (; j < last; ++j) {
        T sum{};
        for (int64_t p = 0; p < k; ++p) sum = MultiplyAdd(sum, row[p], b[j * k + p]);
        y[i * n + j] = sum;
      }
    }
  }
}

// Returns for each batch of the broadcast shape the index of the matrix of an input with batch axes `batch`.
std::vector<int64_t> MatrixIndices(const Shape& batch, const Shape& broadcast) {
  std::vector<int64_t> indices = {0};
  const std::vector<int64_t> strides = RowMajorStrides(batch);
  const size_t missing = broadcast.size() - batch.size();
  for (size_t axis = 0; axis < broadcast.size(); ++axis) {
    const bool moves = axis >= missing && batch[axis - missing] != 1;
    const int64_t stride = moves ? strides[axis - missing] : 0;
    std::vector<int64_t> next;
    next.reserve(indices.size() * static_cast<size_t>(broadcast[axis]));
    for (int64_t index : indices) {
      for (int64_t i = 0; i < broadcast[axis]; ++i) next.push_back(index + i * stride);
    }
    indices = std::move(next);
  }
  return indices;
}

template <class T>
absl::Status Evaluate(ReferenceContext& context) {
  const auto& attributes = context.attributes<MatMulAttributes>();
  const Shape& a_shape = context.input(0).shape();
  const Shape& b_shape = context.input(1).shape();
  const MatrixView<int64_t> left = ViewAsMatrices(a_shape, attributes.transpose_a, /*vector_is_row=*/true);
  const MatrixView<int64_t> right = ViewAsMatrices(b_shape, attributes.transpose_b, /*vector_is_row=*/false);
  std::vector<T> a = LoadInput<T>(context, 0);
  const std::vector<T> b = LoadInput<T>(context, 1);
  if (attributes.transpose_a && a_shape.size() > 1) a = TransposeMatrices(a, left.columns, left.rows);
  const int64_t m = left.rows;
  const int64_t k = left.columns;
  const int64_t n = right.columns;
  const bool by_rows = attributes.transpose_b && b_shape.size() > 1;
  if (m * n == 0) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const Shape batch, BroadcastShapes(left.batch, right.batch));
  const std::vector<int64_t> a_indices = MatrixIndices(left.batch, batch);
  const std::vector<int64_t> b_indices = MatrixIndices(right.batch, batch);
  // Rows at a time, so that a cancelled evaluation of a large product ends soon.
  constexpr int64_t kRowBlock = 128;
  std::vector<T> sums(static_cast<size_t>(std::min(kRowBlock, m) * n));
  for (size_t matrix = 0; matrix < a_indices.size(); ++matrix) {
    for (int64_t row = 0; row < m; row += kRowBlock) {
      BURIN_RETURN_IF_ERROR(context.CheckCancelled());
      const int64_t rows = std::min(kRowBlock, m - row);
      const T* const a_rows = a.data() + (a_indices[matrix] * m + row) * k;
      const T* const b_matrix = b.data() + b_indices[matrix] * k * n;
      if (by_rows) {
        MultiplyByRows(a_rows, b_matrix, sums.data(), rows, k, n);
      } else {
        std::fill(sums.begin(), sums.end(), T{0});
        MultiplyMatrices(a_rows, b_matrix, sums.data(), rows, k, n);
      }
      StoreRange(context.output(0), (static_cast<int64_t>(matrix) * m + row) * n, rows * n, sums.data());
    }
  }
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  return DispatchAccumulator(context.output_type(0), [&](auto zero) { return Evaluate<decltype(zero)>(context); });
}

Cost MatMulCost(const CostContext& context) {
  const auto& attributes = context.attributes<MatMulAttributes>();
  const MatrixView<Dimension> left =
      ViewAsMatrices(context.input(0).shape.dims(), attributes.transpose_a, /*vector_is_row=*/true);
  Cost cost = ElementwiseCost(context);
  cost.flops = 2 * context.OutputElements(0) * static_cast<double>(left.columns.value());
  return cost;
}

}  // namespace

const OpDef& MatMulOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kMatMul, "MatMul", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<MatMulAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &MatMulCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

// MaxPool: the largest element of each window of the spatial axes, and where it was.
//
//   y[n, c, o] = max over k of x[n, c, o * stride - pad_begin + k * dilation]
//
// Inputs:  0 data [N, C, spatial...], numeric, with 1 to 3 spatial axes.
// Outputs: 0 [N, C, windows...] of the data's type; 1 of index_element_type: the position of the first largest element
//          in row-major order of the data's axes from `axis` on, padding not counted.
// Padding is smaller than every number. A window of padding alone gives minus infinity (the smallest number of an
// integer type) and position 0. A NaN counts as largest.
// Constraints MaxPool_c1 to MaxPool_c4: see PooledShape in ir/ops/family/pooling.h, and
//   MaxPool_c5: index_element_type is i32 or i64.
//   MaxPool_c6: axis lies in [-rank, rank).
#include "ir/ops/max_pool.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/pooling.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<MaxPoolAttributes>();
  BURIN_ASSIGN_OR_RETURN(PartialShape output,
                         PooledShape(context, "MaxPool", attributes, attributes.kernel, attributes.rounding_type));
  const ElementType index_type = attributes.index_element_type;
  if (index_type != ElementType::kI32 && index_type != ElementType::kI64) {
    return ConstraintError("MaxPool_c5", absl::StrCat("index_element_type is neither i32 nor i64: ", Name(index_type)));
  }
  BURIN_RETURN_IF_ERROR(WrapAxis("MaxPool_c6", attributes.axis, output.rank()).status());
  context.SetOutput(0, context.input_type(0), output);
  context.SetOutput(1, index_type, std::move(output));
  return absl::OkStatus();
}

// Whether `a` is larger than `b` in the order of the element type: u64 travels as the same bits in int64_t.
bool Larger(double a, double b, ElementType) { return a > b || (std::isnan(a) && !std::isnan(b)); }
bool Larger(int64_t a, int64_t b, ElementType type) {
  return type == ElementType::kU64 ? static_cast<uint64_t>(a) > static_cast<uint64_t>(b) : a > b;
}

double Smallest(double, ElementType) { return -std::numeric_limits<double>::infinity(); }
int64_t Smallest(int64_t, ElementType type) {
  return IsUnsignedInteger(type) ? 0 : -(int64_t{1} << (BitWidth(type) - 2)) * 2;
}

template <class T>
absl::Status Evaluate(ReferenceContext& context) {
  const auto& attributes = context.attributes<MaxPoolAttributes>();
  const ElementType type = context.output_type(0);
  const Shape& shape = context.input(0).shape();
  BURIN_ASSIGN_OR_RETURN(const PoolingGeometry g,
                         MakePoolingGeometry(shape, context.output(0).shape(), attributes, attributes.kernel));
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(attributes.axis, static_cast<int64_t>(shape.size())));
  // Positions count from the start of the slice of this many planes: those of the axes from `axis` on.
  int64_t planes_per_slice = 1;
  for (int64_t i = axis; i < 2; ++i) planes_per_slice *= shape[static_cast<size_t>(i)];
  // With an axis among the spatial ones, positions restart within the plane.
  const int64_t restart = axis > 2 ? ProductOf(shape, axis, static_cast<int64_t>(shape.size())) : g.InPlane();
  const std::vector<T> data = LoadInput<T>(context, 0);
  std::vector<T> largest(static_cast<size_t>(g.OutPlane()));
  std::vector<int64_t> positions(largest.size());
  for (int64_t plane = 0; plane < g.planes; ++plane) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    const T* const in = data.data() + plane * g.InPlane();
    const int64_t base = axis > 1 ? 0 : plane % planes_per_slice * g.InPlane();
    ForEachWindow(g, [&](int64_t o, const std::array<WindowTaps, 3>& taps) {
      T best = Smallest(T{}, type);
      int64_t position = -1;
      ForEachTap(g, taps, [&](int64_t i) {
        if (position >= 0 && !Larger(in[i], best, type)) return;
        best = in[i];
        position = i;
      });
      largest[static_cast<size_t>(o)] = best;
      positions[static_cast<size_t>(o)] = position < 0 ? 0 : base + position % restart;
    });
    StoreRange(context.output(0), plane * g.OutPlane(), g.OutPlane(), largest.data());
    StoreRange(context.output(1), plane * g.OutPlane(), g.OutPlane(), positions.data());
  }
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  return DispatchAccumulator(context.output_type(0), [&](auto zero) { return Evaluate<decltype(zero)>(context); });
}

Cost MaxPoolCost(const CostContext& context) {
  return PoolingCost(context, context.attributes<MaxPoolAttributes>().kernel);
}

}  // namespace

const OpDef& MaxPoolOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kMaxPool, "MaxPool", "opset14");
    d.outputs = 2;
    d.make_attributes = &MakeAttributes<MaxPoolAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &MaxPoolCost;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

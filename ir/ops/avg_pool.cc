// AvgPool: the mean of each window of the spatial axes.
//
//   y[n, c, o] = sum over k of x[n, c, o * stride - pad_begin + k * dilation] / count
//
// Padding counts as zeros in the sum. `count` is the number of taps inside the data (exclude_pad), or inside the padded
// data: taps that a rounding up of the number of windows puts beyond the padding count in neither case. A window with a
// count of 0 gives 0. Integers round towards zero.
//
// Inputs:  0 data [N, C, spatial...], numeric, with 1 to 3 spatial axes.
// Outputs: 0 [N, C, windows...] of the same type.
// Constraints AvgPool_c1 to AvgPool_c4: see PooledShape in ir/ops/family/pooling.h.
#include "ir/ops/avg_pool.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/pooling.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<AvgPoolAttributes>();
  BURIN_ASSIGN_OR_RETURN(PartialShape output,
                         PooledShape(context, "AvgPool", attributes, attributes.kernel, attributes.rounding_type));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

double Quotient(double sum, int64_t count, ElementType) { return sum / static_cast<double>(count); }
int64_t Quotient(int64_t sum, int64_t count, ElementType type) {
  if (type == ElementType::kU64) return static_cast<int64_t>(static_cast<uint64_t>(sum) / static_cast<uint64_t>(count));
  return sum / count;
}

// Returns how many taps of window `o` lie inside the padded data, o in row-major order.
int64_t PaddedCount(const PoolingGeometry& g, int64_t o) {
  int64_t count = 1;
  for (size_t i = g.axes.size(); i-- > 0;) {
    const WindowAxis& axis = g.axes[i];
    count *= TapsInside(axis, o % g.out[i], -axis.pad_begin, g.in[i] + axis.pad_end).count();
    o /= g.out[i];
  }
  return count;
}

template <class T>
absl::Status Evaluate(ReferenceContext& context) {
  const auto& attributes = context.attributes<AvgPoolAttributes>();
  const ElementType type = context.output_type(0);
  BURIN_ASSIGN_OR_RETURN(
      const PoolingGeometry g,
      MakePoolingGeometry(context.input(0).shape(), context.output(0).shape(), attributes, attributes.kernel));
  const std::vector<T> data = LoadInput<T>(context, 0);
  std::vector<T> means(static_cast<size_t>(g.OutPlane()));
  for (int64_t plane = 0; plane < g.planes; ++plane) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    const T* const in = data.data() + plane * g.InPlane();
    ForEachWindow(g, [&](int64_t o, const std::array<WindowTaps, 3>& taps) {
      T sum{};
      ForEachTap(g, taps, [&](int64_t i) { sum = WrapAdd(sum, in[i]); });
      const int64_t inside = taps[0].count() * taps[1].count() * taps[2].count();
      const int64_t count = attributes.exclude_pad ? inside : PaddedCount(g, o);
      means[static_cast<size_t>(o)] = count == 0 ? T{} : Quotient(sum, count, type);
    });
    StoreRange(context.output(0), plane * g.OutPlane(), g.OutPlane(), means.data());
  }
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  return DispatchAccumulator(context.output_type(0), [&](auto zero) { return Evaluate<decltype(zero)>(context); });
}

Cost AvgPoolCost(const CostContext& context) {
  return PoolingCost(context, context.attributes<AvgPoolAttributes>().kernel);
}

}  // namespace

const OpDef& AvgPoolOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kAvgPool, "AvgPool", "opset16");
    d.make_attributes = &MakeAttributes<AvgPoolAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &AvgPoolCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

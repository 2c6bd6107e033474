// What poolings share: the output's shape, and the windows of one plane of the input.
//
// A plane is one channel of one batch. Stateless functions and plain data, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_POOLING_H_
#define BURIN_IR_OPS_FAMILY_POOLING_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/window.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"

namespace burin::ir {

// Returns the shape of a pooling of input 0. Constraints, with `op` in front of each label:
//   <op>_c1: the data is numeric.
//   <op>_c2: the data has rank 3 to 5.
//   <op>_c3: kernel has one number per spatial axis; the other lists too, or are empty; all in the range of
//            MakeWindowAxes.
//   <op>_c4: the window fits into the padded data.
absl::StatusOr<PartialShape> PooledShape(const InferContext& context, absl::string_view op,
                                         const WindowParameters& window, const std::vector<int64_t>& kernel,
                                         RoundingType rounding);

// The static shapes of a pooling, with the spatial axes filled up to three by ones in front.
struct PoolingGeometry {
  int64_t planes = 0;
  std::array<int64_t, 3> in = {1, 1, 1};
  std::array<int64_t, 3> out = {1, 1, 1};
  std::array<WindowAxis, 3> axes;

  int64_t InPlane() const { return in[0] * in[1] * in[2]; }
  int64_t OutPlane() const { return out[0] * out[1] * out[2]; }
};

// Returns the geometry of a pooling whose inference has been successful.
absl::StatusOr<PoolingGeometry> MakePoolingGeometry(const Shape& data, const Shape& output,
                                                    const WindowParameters& window, const std::vector<int64_t>& kernel);

// The taps [first, last) of one window along one axis that lie inside a range of positions, and where tap 0 lies.
struct WindowTaps {
  int64_t origin = 0;
  int64_t first = 0;
  int64_t last = 0;

  int64_t count() const { return last - first; }
};
// Returns the taps of window `o` at positions [begin, end) of the input (negative ones are padding).
WindowTaps TapsInside(const WindowAxis& axis, int64_t o, int64_t begin, int64_t end);

// Calls `visit(index)` for the position in the plane of each tap of the window given by its taps along each axis, in
// row-major order.
template <class Visit>
void ForEachTap(const PoolingGeometry& g, const std::array<WindowTaps, 3>& taps, Visit visit) {
  for (int64_t z = taps[0].first; z < taps[0].last; ++z) {
    const int64_t plane = (taps[0].origin + z * g.axes[0].dilation) * g.in[1];
    for (int64_t y = taps[1].first; y < taps[1].last; ++y) {
      const int64_t row = (plane + taps[1].origin + y * g.axes[1].dilation) * g.in[2] + taps[2].origin;
      for (int64_t x = taps[2].first; x < taps[2].last; ++x) visit(row + x * g.axes[2].dilation);
    }
  }
}

// Calls `visit(o, taps)` for each window of a plane in row-major order, with its taps inside the input.
template <class Visit>
void ForEachWindow(const PoolingGeometry& g, Visit visit) {
  int64_t o = 0;
  std::array<WindowTaps, 3> taps;
  for (int64_t z = 0; z < g.out[0]; ++z) {
    taps[0] = TapsInside(g.axes[0], z, 0, g.in[0]);
    for (int64_t y = 0; y < g.out[1]; ++y) {
      taps[1] = TapsInside(g.axes[1], y, 0, g.in[1]);
      for (int64_t x = 0; x < g.out[2]; ++x) {
        taps[2] = TapsInside(g.axes[2], x, 0, g.in[2]);
        visit(o++, taps);
      }
    }
  }
}

// Returns the cost: one flop per tap, padding included.
Cost PoolingCost(const CostContext& context, const std::vector<int64_t>& kernel);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_POOLING_H_

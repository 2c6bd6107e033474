// Where the axes that windows move along are in the three that kernels have: depth, height, width.
//
// For nodes of convolutions and poolings, whose values have a batch, channels, and one to three such axes. Stateless,
// thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_SPATIAL_AXES_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_SPATIAL_AXES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/ops/family/window.h"
#include "ir/shape.h"

namespace burin::cpu {

// One axis of three; one that there is not has extents and window of 1.
struct SpatialAxis {
  int64_t input = 1;
  int64_t output = 1;
  ir::WindowAxis window;
};

// The most spatial axes that kernels have.
inline constexpr size_t kMostSpatialAxes = 3;

// Returns the axes of a window of `kernel` taps over values of these shapes, [batch, channels, axes...], the last of
// them last, with its padding resolved. Unimplemented where there is none, or more than kMostSpatialAxes.
absl::StatusOr<std::array<SpatialAxis, kMostSpatialAxes>> SpatialAxes(const ir::WindowParameters& parameters,
                                                                      const std::vector<int64_t>& kernel,
                                                                      const ir::Shape& input, const ir::Shape& output);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_SPATIAL_AXES_H_

#include "runtime/plugins/cpu/nodes/spatial_axes.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::cpu {

absl::StatusOr<std::array<SpatialAxis, kMostSpatialAxes>> SpatialAxes(const ir::WindowParameters& parameters,
                                                                      const std::vector<int64_t>& kernel,
                                                                      const ir::Shape& input, const ir::Shape& output) {
  const size_t rank = input.size() < 2 ? 0 : input.size() - 2;
  if (rank < 1 || rank > kMostSpatialAxes) {
    return absl::UnimplementedError(absl::StrCat("no kernel for windows over ", rank, " axes"));
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::WindowAxis> windows,
                         ir::MakeWindowAxes("window", parameters, static_cast<int64_t>(rank)));
  std::array<SpatialAxis, kMostSpatialAxes> axes;
  for (size_t i = 0; i < rank; ++i) {
    SpatialAxis& axis = axes[kMostSpatialAxes - rank + i];
    axis.input = input[2 + i];
    axis.output = output[2 + i];
    axis.window = windows[i];
    axis.window.kernel = kernel[i];
    axis.window = ir::ResolvePadding(axis.window, axis.input, parameters.auto_pad);
  }
  return axes;
}

}  // namespace burin::cpu

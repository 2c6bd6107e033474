#include "snippets/tokenize/anchor/anchor_space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/partial_shape.h"

namespace burin::snippets {
namespace {

// Costs do not tell apart what is larger, and products of extents stay numbers.
constexpr double kLargestExtent = 1e12;

ir::Dimension Sized(double extent) { return ir::Dimension(static_cast<int64_t>(std::min(extent, kLargestExtent))); }

}  // namespace

absl::StatusOr<BodySpace> DescribeEpilogue(const AnchoredBody& split) {
  const std::vector<double> extents = TypicalExtents(split.anchor->output(0).shape);
  const auto column_axis = static_cast<size_t>(ColumnAxisOf(*split.anchor));
  double rows = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (i != column_axis) rows *= extents[i];
  }
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  const std::unique_ptr<ir::Model> epilogue = split.epilogue->Clone();
  for (size_t i = 0; i < epilogue->parameters().size(); ++i) {
    ir::PartialShape shape = epilogue->info({epilogue->parameters()[i], 0}).shape;
    // What is one value in all has no axes.
    if (shape.rank() == 0) continue;
    if (shape[0].is_dynamic()) shape[0] = Sized(rows);
    if (shape[1].is_dynamic()) shape[1] = Sized(extents[column_axis]);
    shapes[static_cast<int64_t>(i)] = std::move(shape);
  }
  BURIN_RETURN_IF_ERROR(epilogue->Reshape(shapes));
  return DescribeBody(*epilogue);
}

}  // namespace burin::snippets

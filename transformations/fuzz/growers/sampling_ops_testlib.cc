#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/attribute_values.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

// Places, boxes and scores are parameters throughout: of what is rounded otherwise another element may be chosen.

void GrowGridSample(GrowingGraph& g) {
  const bool nearest = g.OneIn(3);
  Shape data = {g.Between(1, 2), g.AnySize()};
  Shape grid = {data[0]};
  const int64_t axes = g.AnyOf({1, 2, 2, 3});
  for (int64_t i = 0; i < axes; ++i) {
    data.push_back(g.Between(1, 4));
    grid.push_back(g.AnySize());
  }
  grid.push_back(axes);
  const ElementType type = g.AnyType(nearest ? Types::kAny : Types::kNumeric);
  g.Add("GridSample", {g.Like(type, data), g.Parameter(g.AnyType(Types::kFloat), grid)},
        {{"align_corners", g.OneIn(2)},
         {"mode", nearest ? "nearest" : g.AnyOf({"bilinear", "bicubic"})},
         {"padding_mode", g.AnyOf({"zeros", "border", "reflection"})}});
}

void GrowROIAlign(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  const int64_t images = g.Between(1, 2);
  const Value data = g.Like(type, {images, g.AnySize(), g.Between(1, 5), g.Between(1, 5)});
  std::vector<int64_t> image_of(static_cast<size_t>(g.Between(1, 3)));
  for (int64_t& image : image_of) image = g.Below(images);
  const Value regions = g.Parameter(type, {static_cast<int64_t>(image_of.size()), 4});
  g.Add("ROIAlign", {data, regions, g.Ints(image_of)},
        {{"pooled_h", g.Between(1, 3)},
         {"pooled_w", g.Between(1, 3)},
         {"sampling_ratio", g.Below(3)},
         {"mode", g.AnyOf({"avg", "max", "max_of_elements"})},
         {"aligned_mode", g.AnyOf({"asymmetric", "half_pixel_for_nn", "half_pixel"})}});
}

void GrowNonMaxSuppression(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  const int64_t batches = g.Between(1, 2);
  const int64_t boxes = g.AnySize();
  std::vector<Value> inputs = {g.Parameter(type, {batches, boxes, 4}),
                               g.Parameter(type, {batches, g.Between(1, 2), boxes}), g.Int(g.Between(0, 3))};
  if (g.OneIn(2)) inputs.push_back(g.Scalar(type, 0.5));
  g.AddAll("NonMaxSuppression", inputs,
           {{"box_encoding", g.AnyOf({"corner", "center"})},
            {"sort_result_descending", g.OneIn(2)},
            {"output_type", g.AnyType(Types::kIndex)}});
}

void GrowDeformableConvolution(GrowingGraph& g) {
  const ElementType type = g.AnyType(g.OneIn(8) ? Types::kNumeric : Types::kFloat);
  const int64_t axes = g.AnyOf({1, 2, 2});
  const int64_t groups = g.Between(1, 2);
  const int64_t deformable_groups = g.Between(1, 2);
  const int64_t batch = g.AnySize();
  const int64_t pad = g.Below(2);
  Shape data = {batch, 2};
  Shape filters = {groups * g.Between(1, 2), 2 / groups};
  int64_t taps = 1;
  Shape places;
  for (int64_t i = 0; i < axes; ++i) {
    data.push_back(g.Between(2, 4));
    filters.push_back(g.Between(1, 2));
    taps *= filters.back();
    places.push_back(data.back() + pad - filters.back() + 1);
  }
  Shape offsets = {batch, deformable_groups * taps * axes};
  Shape mask = {batch, deformable_groups * taps};
  offsets.insert(offsets.end(), places.begin(), places.end());
  mask.insert(mask.end(), places.begin(), places.end());
  std::vector<Value> inputs = {g.Like(type, data), g.Parameter(type, offsets), g.Weights(type, filters)};
  if (g.OneIn(2)) inputs.push_back(g.Like(type, mask));
  g.Add("DeformableConvolution", inputs,
        {{"pads_begin", std::vector<int64_t>(static_cast<size_t>(axes), pad)},
         {"group", groups},
         {"deformable_group", deformable_groups},
         {"bilinear_interpolation_pad", g.OneIn(2)}});
}

constexpr Grower kGrowers[] = {
    {"grid sample", &GrowGridSample},
    {"roi align", &GrowROIAlign},
    {"non-max suppression", &GrowNonMaxSuppression},
    {"deformable convolution", &GrowDeformableConvolution},
};

}  // namespace

absl::Span<const Grower> SamplingOps() { return kGrowers; }

}  // namespace burin::transformations

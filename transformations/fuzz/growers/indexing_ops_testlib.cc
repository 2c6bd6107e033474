#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

// Returns indices into a dimension of `size` elements, as a tensor of that shape.
Value Indices(GrowingGraph& g, const Shape& shape, int64_t size) {
  int64_t count = 1;
  for (const int64_t dim : shape) count *= dim;
  std::vector<int64_t> indices(static_cast<size_t>(count));
  for (int64_t& index : indices) index = g.Below(size) - (g.OneIn(4) ? size : 0);
  if (shape.empty()) return g.Int(indices[0]);
  const Value list = g.Ints(indices);
  return shape.size() == 1 ? list : g.Add("Reshape", {list, g.PlainInts(shape)});
}

void GrowGather(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const int64_t axis = g.AnyAxis(g.RankOf(x));
  if (g.OneIn(4) && g.RankOf(x) > 1) {
    g.Add("Gather", {x, Indices(g, {g.SizeOf(x, 0), 2}, g.SizeOf(x, 1)), g.Int(1)}, {{"batch_dims", 1}});
    return;
  }
  g.Add("Gather", {x, Indices(g, g.AnyShape(0, 2), g.SizeOf(x, axis)), g.Int(axis)});
}

void GrowGatherElements(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 3);
  const int64_t axis = g.Below(g.RankOf(x));
  Shape shape = g.ShapeOf(x);
  shape[static_cast<size_t>(axis)] = g.AnySize();
  g.Add("GatherElements", {x, Indices(g, shape, g.SizeOf(x, axis))}, {{"axis", axis}});
}

void GrowGatherND(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 3);
  const bool batched = g.RankOf(x) > 1 && g.OneIn(3);
  const Shape shape = batched ? Shape{g.SizeOf(x, 0), 2, 1} : Shape{g.AnySize(), 1};
  g.Add("GatherND", {x, Indices(g, shape, g.SizeOf(x, batched ? 1 : 0))}, {{"batch_dims", batched ? 1 : 0}});
}

void GrowScatter(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 3);
  const ElementType type = g.TypeOf(x);
  const int64_t axis = g.Below(g.RankOf(x));
  const int64_t size = g.SizeOf(x, axis);
  Shape updates = g.ShapeOf(x);
  switch (g.Below(3)) {
    case 0: {
      updates[static_cast<size_t>(axis)] = 2;
      g.Add("ScatterUpdate", {x, Indices(g, {2}, size), g.Like(type, updates), g.Int(axis)});
      break;
    }
    case 1: {
      updates[static_cast<size_t>(axis)] = g.AnySize();
      g.Add("ScatterElementsUpdate", {x, Indices(g, updates, size), g.Like(type, updates), g.Int(axis)},
            {{"reduction", g.AnyOf({"none", "none", "sum", "prod", "min", "max", "mean"})},
             {"use_init_val", !g.OneIn(4)}});
      break;
    }
    default:
      updates[0] = 2;
      g.Add("ScatterNDUpdate", {x, Indices(g, {2, 1}, g.SizeOf(x, 0)), g.Like(type, updates)},
            {{"reduction", g.AnyOf({"none", "sum", "sub", "prod", "min", "max"})}});
  }
}

void GrowSelection(GrowingGraph& g) {
  const Value x = g.Pick(Types::kNumeric, 1, 3);
  const int64_t axis = g.AnyAxis(g.RankOf(x));
  switch (g.Below(3)) {
    case 0:
      g.AddAll("TopK", {x, g.Int(g.Below(g.SizeOf(x, axis) + 1))},
               {{"axis", axis},
                {"mode", g.AnyOf({"max", "min"})},
                {"sort", g.AnyOf({"value", "index", "none"})},
                {"index_element_type", g.AnyType(Types::kIndex)}});
      break;
    case 1:
      if (g.OneIn(2)) {
        g.AddAll("Unique", {x}, {{"sorted", g.OneIn(2)}});
      } else {
        g.AddAll("Unique", {x, g.Int(axis)}, {{"sorted", g.OneIn(2)}});
      }
      break;
    default:
      g.Add("NonZero", {g.Pick(Types::kAny, 0, 3)}, {{"output_type", g.AnyType(Types::kIndex)}});
  }
}

void GrowCumulative(GrowingGraph& g) {
  const Value x = g.Pick(Types::kNumeric, 1, 3);
  g.Add(g.OneIn(3) ? "CumProd" : "CumSum", {x, g.Int(g.AnyAxis(g.RankOf(x)))},
        {{"exclusive", g.OneIn(3)}, {"reverse", g.OneIn(3)}});
}

void GrowOneHot(GrowingGraph& g) {
  const Value indices = g.Pick(Types::kIndex, 0, 2);
  const ElementType type = g.AnyType(Types::kAny);
  g.Add("OneHot", {indices, g.Int(g.Between(0, 4)), g.Scalar(type, 1), g.Scalar(type, 0)},
        {{"axis", g.AnyAxis(g.RankOf(indices) + 1)},
         {"negative_indices_mode", g.AnyOf({"ignore_negative", "normalize"})}});
}

void GrowGenerators(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kNumeric);
  if (g.OneIn(2)) {
    std::vector<Value> inputs = {g.Int(g.AnySize()), g.Int(g.AnySize()), g.Int(g.Between(-1, 1))};
    if (g.OneIn(2)) inputs.push_back(g.Ints({g.AnySize()}));
    g.Add("Eye", inputs, {{"output_type", type}});
    return;
  }
  const int64_t start = g.Between(-2, 2);
  const int64_t step = g.AnyOf({1, 1, 2, -1});
  g.Add("Range", {g.Int(start), g.Int(start + step * g.AnySize()), g.Int(step)}, {{"output_type", type}});
}

void GrowShapeOf(GrowingGraph& g) {
  g.Add("ShapeOf", {g.Pick(Types::kAny, 0, 5)}, {{"output_type", g.AnyType(Types::kIndex)}});
}

constexpr Grower kGrowers[] = {
    {"gather", &GrowGather, 3},   {"gather elements", &GrowGatherElements}, {"gather nd", &GrowGatherND},
    {"scatter", &GrowScatter, 2}, {"selection", &GrowSelection, 2},         {"cumulative", &GrowCumulative},
    {"one hot", &GrowOneHot},     {"generators", &GrowGenerators, 2},       {"shape of", &GrowShapeOf, 2},
};

}  // namespace

absl::Span<const Grower> IndexingOps() { return kGrowers; }

}  // namespace burin::transformations

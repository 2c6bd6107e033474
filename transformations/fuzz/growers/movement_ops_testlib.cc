#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

void GrowTranspose(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 5);
  g.Add("Transpose", {x, g.OneIn(8) ? g.PlainInts({}) : g.Ints(g.AnyOrder(g.RankOf(x)))});
}

void GrowReshape(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 0, 5);
  Shape shape = g.ShapeOf(x);
  const bool special_zero = g.OneIn(2);
  // Merges neighbours, puts ones in between, and leaves one dimension to be found.
  if (shape.size() > 1 && g.OneIn(2)) {
    const size_t at = static_cast<size_t>(g.Below(static_cast<int64_t>(shape.size()) - 1));
    shape[at] *= shape[at + 1];
    shape.erase(shape.begin() + static_cast<int64_t>(at) + 1);
  }
  if (g.OneIn(2)) shape.insert(shape.begin() + g.Below(static_cast<int64_t>(shape.size()) + 1), 1);
  if (special_zero && !shape.empty() && !g.ShapeOf(x).empty() && shape[0] == g.SizeOf(x, 0)) shape[0] = 0;
  if (!shape.empty() && g.OneIn(2)) shape[static_cast<size_t>(g.Below(static_cast<int64_t>(shape.size())))] = -1;
  g.Add("Reshape", {x, g.Ints(shape)}, {{"special_zero", special_zero}});
}

void GrowSqueeze(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 0, 5);
  std::vector<int64_t> ones;
  for (int64_t i = 0; i < g.RankOf(x); ++i) {
    if (g.SizeOf(x, i) == 1 && g.OneIn(2)) ones.push_back(g.OneIn(3) ? i - g.RankOf(x) : i);
  }
  if (ones.empty()) {
    g.Add("Squeeze", {x});
  } else {
    g.Add("Squeeze", {x, g.Ints(ones)});
  }
}

void GrowUnsqueeze(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 0, 3);
  const int64_t added = g.Between(1, 2);
  std::vector<int64_t> axes = g.AnyAxes(g.RankOf(x) + added, added);
  axes.resize(static_cast<size_t>(added));
  if (g.OneIn(3)) axes[0] -= g.RankOf(x) + added;
  g.Add("Unsqueeze", {x, g.Ints(axes)});
}

void GrowConcat(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const int64_t axis = g.AnyAxis(g.RankOf(x));
  std::vector<Value> parts = {x};
  for (int64_t count = g.Below(3); count > 0; --count) {
    Shape shape = g.ShapeOf(x);
    shape[static_cast<size_t>(axis < 0 ? axis + g.RankOf(x) : axis)] = g.AnySize();
    parts.push_back(g.OneIn(3) ? x : g.Like(g.TypeOf(x), shape));
  }
  std::rotate(parts.begin(), parts.begin() + g.Below(static_cast<int64_t>(parts.size())), parts.end());
  g.Add("Concat", parts, {{"axis", axis}});
}

void GrowSplit(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const int64_t axis = g.AnyAxis(g.RankOf(x));
  const int64_t size = g.SizeOf(x, axis);
  if (g.OneIn(2)) {
    const int64_t parts = size > 0 && g.OneIn(2) ? size : size % 2 == 0 ? 2 : 1;
    g.AddAll("Split", {x, g.Int(axis)}, {{"num_splits", parts}});
    return;
  }
  const int64_t first = g.Below(size + 1);
  std::vector<int64_t> lengths = {first, g.OneIn(2) ? -1 : size - first};
  if (g.OneIn(4)) lengths = {g.OneIn(2) ? -1 : size};
  g.AddAll("VariadicSplit", {x, g.Int(axis), g.Ints(lengths)});
}

void GrowSlice(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  std::vector<int64_t> axes = g.AnyAxes(g.RankOf(x), 1);
  std::vector<int64_t> starts;
  std::vector<int64_t> stops;
  std::vector<int64_t> steps;
  for (const int64_t axis : axes) {
    const int64_t size = g.SizeOf(x, axis);
    if (g.OneIn(3)) {
      starts.push_back(0);
      stops.push_back(g.AnyOf({size, int64_t{2147483647}, INT64_MAX}));
      steps.push_back(1);
    } else {
      const int64_t step = g.AnyOf({1, 1, 2, -1});
      const int64_t low = g.Between(-1, size);
      const int64_t high = g.Between(low, size + 1);
      starts.push_back(step > 0 ? low : high);
      stops.push_back(step > 0 ? high : g.OneIn(2) ? -size - 1 : low);
      steps.push_back(step);
    }
  }
  std::vector<Value> inputs = {x, g.Ints(starts), g.Ints(stops), g.Ints(steps)};
  if (!std::is_sorted(axes.begin(), axes.end()) || axes.back() + 1 != static_cast<int64_t>(axes.size()) || g.OneIn(2)) {
    inputs.push_back(g.Ints(axes));
  }
  g.Add("Slice", inputs);
}

void GrowStridedSlice(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const auto steps = static_cast<size_t>(g.Between(1, g.RankOf(x)));
  std::vector<int64_t> begin(steps);
  std::vector<int64_t> end(steps);
  std::vector<int64_t> stride(steps, 1);
  std::vector<int64_t> masks[5];
  for (std::vector<int64_t>& mask : masks) mask.resize(steps);
  for (size_t i = 0; i < steps; ++i) {
    const int64_t size = g.SizeOf(x, static_cast<int64_t>(i));
    begin[i] = g.Below(size);
    end[i] = g.OneIn(2) ? size : g.Between(begin[i], size);
    if (g.OneIn(5)) stride[i] = 2;
    masks[0][i] = g.OneIn(3);
    masks[1][i] = g.OneIn(3);
    masks[2][i] = g.OneIn(8);
    masks[3][i] = g.OneIn(8);
  }
  if (g.OneIn(6)) masks[4][static_cast<size_t>(g.Below(static_cast<int64_t>(steps)))] = 1;
  std::vector<Value> inputs = {x, g.Ints(begin), g.Ints(end)};
  if (g.OneIn(2)) inputs.push_back(g.Ints(stride));
  g.Add("StridedSlice", inputs,
        {{"begin_mask", masks[0]},
         {"end_mask", masks[1]},
         {"new_axis_mask", masks[2]},
         {"shrink_axis_mask", masks[3]},
         {"ellipsis_mask", masks[4]}});
}

void GrowPad(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  std::vector<int64_t> begin(static_cast<size_t>(g.RankOf(x)));
  std::vector<int64_t> end(begin.size());
  for (size_t i = 0; i < begin.size(); ++i) {
    if (g.OneIn(2)) begin[i] = g.Between(-1, 2);
    if (g.OneIn(2)) end[i] = g.Between(-1, 2);
  }
  std::vector<Value> inputs = {x, g.Ints(begin), g.Ints(end)};
  const char* const mode = g.AnyOf({"constant", "constant", "edge", "reflect", "symmetric"});
  if (g.OneIn(2)) inputs.push_back(g.Scalar(g.TypeOf(x), static_cast<double>(g.Below(3))));
  g.Add("Pad", inputs, {{"pad_mode", mode}});
}

void GrowTile(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 0, 4);
  std::vector<int64_t> repeats(static_cast<size_t>(g.RankOf(x) + g.Between(-1, 1) < 0 ? 0 : g.RankOf(x)));
  for (int64_t& count : repeats) count = g.AnyOf({1, 1, 1, 2, 3});
  if (g.OneIn(20) && !repeats.empty()) repeats[0] = 0;
  g.Add("Tile", {x, g.Ints(repeats)});
}

void GrowBroadcast(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 0, 3);
  Shape target = g.ShapeOf(x);
  for (int64_t& size : target) {
    if (size == 1 && g.OneIn(2)) size = g.AnySize();
  }
  if (g.OneIn(3)) {
    // Explicit: the data's dimensions stand anywhere in the target.
    std::vector<int64_t> mapping(target.size());
    const int64_t in_front = g.Below(2);
    for (size_t i = 0; i < mapping.size(); ++i) mapping[i] = static_cast<int64_t>(i) + in_front;
    if (in_front > 0) target.insert(target.begin(), g.AnySize());
    if (g.OneIn(2)) target.push_back(g.AnySize());
    g.Add("Broadcast", {x, g.Ints(target), g.Ints(mapping)}, {{"mode", "explicit"}});
    return;
  }
  if (g.OneIn(3)) target.insert(target.begin(), g.AnySize());
  const bool bidirectional = g.OneIn(2);
  if (bidirectional) {
    for (int64_t& size : target) {
      if (g.OneIn(4)) size = 1;
    }
    while (!target.empty() && g.OneIn(4)) target.erase(target.begin());
  }
  g.Add("Broadcast", {x, g.Ints(target)}, {{"mode", bidirectional ? "bidirectional" : "numpy"}});
}

void GrowRoll(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const std::vector<int64_t> axes = g.AnyAxes(g.RankOf(x), 1);
  std::vector<int64_t> shifts(axes.size());
  for (int64_t& shift : shifts) shift = g.Between(-3, 3);
  g.Add("Roll", {x, g.Ints(shifts), g.Ints(axes)});
}

void GrowReverseSequence(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 2, 4);
  const std::vector<int64_t> order = g.AnyOrder(g.RankOf(x));
  std::vector<int64_t> lengths(static_cast<size_t>(g.SizeOf(x, order[0])));
  for (int64_t& length : lengths) length = g.Below(g.SizeOf(x, order[1]) + 1);
  g.Add("ReverseSequence", {x, g.Ints(lengths)}, {{"batch_axis", order[0]}, {"seq_axis", order[1]}});
}

void GrowSpaceBlock(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kAny);
  const char* const mode = g.AnyOf({"blocks_first", "depth_first"});
  const int64_t block = g.AnyOf({1, 2, 2});
  if (g.OneIn(2)) {
    const Value depth = g.Like(type, {g.AnySize(), block * block * g.Between(1, 2), g.AnySize(), g.AnySize()});
    const Value space = g.Add("DepthToSpace", {depth}, {{"block_size", block}, {"mode", mode}});
    if (g.OneIn(2)) g.Add("SpaceToDepth", {space}, {{"block_size", block}, {"mode", mode}});
  } else {
    const Value space = g.Like(type, {g.AnySize(), g.AnySize(), block * g.Between(1, 2), block * g.Between(0, 2)});
    g.Add("SpaceToDepth", {space}, {{"block_size", block}, {"mode", mode}});
  }
}

void GrowShuffleChannels(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const int64_t axis = g.AnyAxis(g.RankOf(x));
  const int64_t size = g.SizeOf(x, axis);
  g.Add("ShuffleChannels", {x}, {{"axis", axis}, {"group", g.OneIn(3) || size == 0 ? 1 : size % 2 == 0 ? 2 : size}});
}

constexpr Grower kGrowers[] = {
    {"transpose", &GrowTranspose, 5},
    {"reshape", &GrowReshape, 5},
    {"squeeze", &GrowSqueeze, 2},
    {"unsqueeze", &GrowUnsqueeze, 2},
    {"concat", &GrowConcat, 2},
    {"split", &GrowSplit, 2},
    {"slice", &GrowSlice, 2},
    {"strided slice", &GrowStridedSlice, 2},
    {"pad", &GrowPad, 2},
    {"tile", &GrowTile},
    {"broadcast", &GrowBroadcast, 2},
    {"roll", &GrowRoll},
    {"reverse sequence", &GrowReverseSequence},
    {"space and depth", &GrowSpaceBlock},
    {"shuffle channels", &GrowShuffleChannels},
};

}  // namespace

absl::Span<const Grower> MovementOps() { return kGrowers; }

}  // namespace burin::transformations

// Operators that move elements: slicing, splitting, padding, tiling, rearranging.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ir/ops/eye.h"
#include "ir/ops/family/space_block.h"
#include "ir/ops/ops.h"
#include "ir/ops/pad.h"
#include "ir/ops/range.h"
#include "ir/ops/reverse_sequence.h"
#include "ir/ops/split.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Returns the lengths of `parts` pieces along an axis of `size`, all equal but perhaps the last.
std::vector<int64_t> EvenLengths(int64_t size, int64_t parts) {
  const int64_t length = (size + parts - 1) / parts;
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < parts; ++i) {
    lengths.push_back(std::max<int64_t>(0, std::min(length, size - i * length)));
  }
  return lengths;
}

absl::Status SplitEvenly(NodeContext& node, ir::Value x, int64_t axis, int64_t parts) {
  if (parts < 1) return node.Invalid("Split needs at least one output");
  ir::Dimension size;
  int64_t place = axis;
  if (const std::optional<int64_t> rank = node.RankOf(x)) {
    place = node.NormalizeAxis(axis, *rank);
    if (!node.ok()) return node.status();
    size = node.ShapeOf(x)[place];
  }
  if (size.is_static() && size.value() % parts != 0) {
    // An output beyond what the node names would have to exist as well.
    if (parts > (int64_t{1} << 20)) return node.Invalid("Split has too many outputs");
    return node.Finish(
        node.AddAll(ir::VariadicSplitOp(), {x, node.Int(place), node.Ints(EvenLengths(size.value(), parts))}));
  }
  auto attributes = std::make_unique<ir::SplitAttributes>();
  attributes->num_splits = parts;
  return node.Finish(node.AddAll(ir::SplitOp(), {x, node.Int(place)}, std::move(attributes)));
}

std::optional<ir::PadMode> PadModeFromName(absl::string_view name) {
  if (name == "constant") return ir::PadMode::kConstant;
  if (name == "edge") return ir::PadMode::kEdge;
  if (name == "reflect") return ir::PadMode::kReflect;
  return std::nullopt;
}

// Spreads pads of some axes [begins..., ends...] over all `rank` axes; the others get zeros.
ir::Value SpreadPads(NodeContext& node, ir::Value pads, ir::Value axes, int64_t rank) {
  if (const std::optional<std::vector<int64_t>> known = node.IntsOf(axes)) {
    for (const int64_t axis : *known) node.NormalizeAxis(axis, rank);
  }
  auto halves = std::make_unique<ir::SplitAttributes>();
  halves->num_splits = 2;
  const std::vector<ir::Value> given = node.AddAll(ir::SplitOp(), {pads, node.Int(0)}, std::move(halves));
  const ir::Value wide = node.Convert(axes, ElementType::kI64);
  const ir::Value from_end = node.Add(ir::LessOp(), {wide, node.Int(0)});
  const ir::Value places = node.Add(ir::SelectOp(), {from_end, node.Plus(wide, node.Int(rank)), wide});
  const ir::Value zeros = node.Broadcast(node.Int(0), node.Ints({rank}));
  std::vector<ir::Value> spread;
  for (const ir::Value half : given) {
    spread.push_back(node.Add(ir::ScatterUpdateOp(), {zeros, places, half, node.Int(0)}));
  }
  return node.Concat(std::move(spread), 0);
}

// Repeats the data on both sides: element i of an axis is element i modulo the axis's size.
ir::Value WrapAround(NodeContext& node, ir::Value x, ir::Value begins, ir::Value ends, int64_t rank) {
  const std::optional<std::vector<int64_t>> known_begins = node.IntsOf(begins);
  const std::optional<std::vector<int64_t>> known_ends = node.IntsOf(ends);
  const ir::Value zero = node.Int(0);
  ir::Value y = x;
  for (int64_t axis = 0; axis < rank && node.ok(); ++axis) {
    const size_t d = static_cast<size_t>(axis);
    const bool is_known = known_begins.has_value() && known_ends.has_value();
    if (is_known && (*known_begins)[d] == 0 && (*known_ends)[d] == 0) continue;
    const ir::Value size = node.SizeOf(x, axis);
    const ir::Value before = node.Add(ir::GatherOp(), {begins, node.Int(axis), zero});
    const ir::Value after = node.Add(ir::GatherOp(), {ends, node.Int(axis), zero});
    const ir::Value places = node.Range(node.Minus(zero, before), node.Plus(size, after));
    y = node.Add(ir::GatherOp(), {y, node.Add(ir::FloorModOp(), {places, size}), node.Int(axis)});
  }
  return y;
}

}  // namespace

// Takes slices or elements where a condition holds, of which only the start may be given.
absl::Status TranslateCompress(NodeContext& node) {
  ir::Value x = node.Input(0);
  const ir::Value condition = node.Input(1);
  int64_t axis = 0;
  if (node.HasAttribute("axis")) {
    axis = node.IntAttribute("axis", 0);
  } else {
    x = node.Reshape(x, {-1});
  }
  const ir::Value places = node.Reshape(node.Add(ir::NonZeroOp(), {condition}), {-1});
  return node.Finish({node.Add(ir::GatherOp(), {x, places, node.Int(axis)})});
}

absl::Status TranslateDepthToSpace(NodeContext& node) {
  const std::string mode = node.StringAttribute("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") return node.Invalid("DepthToSpace knows mode DCR and CRD");
  auto attributes = std::make_unique<ir::SpaceBlockAttributes>();
  attributes->block_size = node.IntAttribute("blocksize", 0);
  attributes->mode = mode == "DCR" ? ir::SpaceBlockMode::kBlocksFirst : ir::SpaceBlockMode::kDepthFirst;
  return node.Finish({node.Add(ir::DepthToSpaceOp(), {node.Input(0)}, std::move(attributes))});
}

absl::Status TranslateEyeLike(NodeContext& node) {
  const ir::Value x = node.Input(0);
  auto attributes = std::make_unique<ir::EyeAttributes>();
  attributes->output_type = node.ElementTypeAttribute("dtype", node.TypeOf(x));
  const ir::Value diagonal = node.Int(node.IntAttribute("k", 0));
  return node.Finish({node.Add(ir::EyeOp(), {node.SizeOf(x, 0), node.SizeOf(x, 1), diagonal}, std::move(attributes))});
}

// The axes input came with opset 18. Before opset 11 pads and value are attributes, called `paddings` in opset 1.
absl::Status TranslatePad(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const std::string name = node.StringAttribute("mode", "constant");
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  const bool has_inputs = node.since() >= 11;
  ir::Value pads = has_inputs ? node.Input(1) : node.Ints(node.IntsAttribute(node.since() < 2 ? "paddings" : "pads"));
  pads = node.Convert(pads, ElementType::kI64);
  if (has_inputs && node.HasInput(3)) pads = SpreadPads(node, pads, node.Input(3), rank);
  const ir::Value begins = node.Slice(pads, 0, 0, rank);
  const ir::Value ends = node.Slice(pads, 0, rank, 2 * rank);
  if (name == "wrap") return node.Finish({WrapAround(node, x, begins, ends, rank)});
  const std::optional<ir::PadMode> mode = PadModeFromName(name);
  if (!mode.has_value()) return node.Invalid(absl::StrCat("Unknown mode: ", name));
  auto attributes = std::make_unique<ir::PadAttributes>();
  attributes->pad_mode = *mode;
  std::vector<ir::Value> inputs = {x, begins, ends};
  if (*mode == ir::PadMode::kConstant) {
    ir::Value value = node.ScalarLike(x, has_inputs ? 0 : node.FloatAttribute("value", 0));
    if (has_inputs && node.HasInput(2)) value = node.ToScalar(node.Input(2));
    inputs.push_back(value);
  }
  return node.Finish({node.Add(ir::PadOp(), std::move(inputs), std::move(attributes))});
}

// Bounds and step are scalars, which some exporters write as tensors of one element.
absl::Status TranslateRange(NodeContext& node) {
  auto attributes = std::make_unique<ir::RangeAttributes>();
  attributes->output_type = node.TypeOf(node.Input(0));
  std::vector<ir::Value> inputs;
  for (int64_t i = 0; i < 3; ++i) {
    const ir::Value input = node.Input(i);
    inputs.push_back(node.ToScalar(input));
  }
  return node.Finish({node.Add(ir::RangeOp(), std::move(inputs), std::move(attributes))});
}

absl::Status TranslateReverseSequence(NodeContext& node) {
  auto attributes = std::make_unique<ir::ReverseSequenceAttributes>();
  attributes->batch_axis = node.IntAttribute("batch_axis", 1);
  attributes->seq_axis = node.IntAttribute("time_axis", 0);
  return node.Finish({node.Add(ir::ReverseSequenceOp(), {node.Input(0), node.Input(1)}, std::move(attributes))});
}

// Bounds are attributes before opset 10.
absl::Status TranslateSlice(NodeContext& node) {
  const ir::Value x = node.Input(0);
  if (node.since() < 10) {
    const std::vector<int64_t> starts = node.IntsAttribute("starts");
    std::vector<int64_t> axes = node.IntsAttribute("axes");
    if (!node.HasAttribute("axes")) {
      for (size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<int64_t>(i));
    }
    const std::vector<int64_t> steps(starts.size(), 1);
    return node.Finish({node.Add(ir::SliceOp(), {x, node.Ints(starts), node.Ints(node.IntsAttribute("ends")),
                                                 node.Ints(steps), node.Ints(axes)})});
  }
  const ir::Value starts = node.Convert(node.Input(1), ElementType::kI64);
  const ir::Value ends = node.Convert(node.Input(2), ElementType::kI64);
  const ir::Value steps = node.HasInput(4) ? node.Convert(node.Input(4), ElementType::kI64)
                                           : node.Broadcast(node.Int(1), node.SizesOf(starts));
  std::vector<ir::Value> inputs = {x, starts, ends, steps};
  if (node.HasInput(3)) inputs.push_back(node.Convert(node.Input(3), ElementType::kI64));
  return node.Finish({node.Add(ir::SliceOp(), std::move(inputs))});
}

absl::Status TranslateSpaceToDepth(NodeContext& node) {
  auto attributes = std::make_unique<ir::SpaceBlockAttributes>();
  attributes->block_size = node.IntAttribute("blocksize", 0);
  attributes->mode = ir::SpaceBlockMode::kBlocksFirst;
  return node.Finish({node.Add(ir::SpaceToDepthOp(), {node.Input(0)}, std::move(attributes))});
}

// The lengths are an input in opset 1 and from 13 on, an attribute between.
absl::Status TranslateSplit(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const int64_t axis = node.IntAttribute("axis", 0);
  const bool has_input = node.since() < 2 || node.since() >= 13;
  if (node.HasAttribute("split")) {
    return node.Finish(node.AddAll(ir::VariadicSplitOp(), {x, node.Int(axis), node.Ints(node.IntsAttribute("split"))}));
  }
  if (has_input && node.HasInput(1)) {
    return node.Finish(node.AddAll(ir::VariadicSplitOp(), {x, node.Int(axis), node.Input(1)}));
  }
  return SplitEvenly(node, x, axis, node.IntAttribute("num_outputs", node.output_count()));
}

// In opset 1 one axis is tiled.
absl::Status TranslateTile(NodeContext& node) {
  const ir::Value x = node.Input(0);
  if (node.since() >= 6) return node.Finish({node.Add(ir::TileOp(), {x, node.Input(1)})});
  const int64_t rank = node.KnownRank(x);
  const std::optional<std::vector<int64_t>> tiles = node.IntsOf(node.Input(1));
  const std::optional<std::vector<int64_t>> axis = node.IntsOf(node.Input(2));
  if (!tiles.has_value() || !axis.has_value() || tiles->size() != 1 || axis->size() != 1) {
    return node.Unsupported("tiles or axis that are not constant");
  }
  const int64_t place = node.NormalizeAxis((*axis)[0], rank);
  if (!node.ok()) return node.status();
  std::vector<int64_t> repeats(static_cast<size_t>(rank), 1);
  repeats[static_cast<size_t>(place)] = (*tiles)[0];
  return node.Finish({node.Add(ir::TileOp(), {x, node.Ints(repeats)})});
}

// Keeps the elements with column - row >= k (upper) or <= k, and zeros the rest.
absl::Status TranslateTrilu(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  if (rank < 2) return node.Invalid("Trilu needs at least two axes");
  const bool upper = node.IntAttribute("upper", 1) != 0;
  const ir::Value k = node.HasInput(1) ? node.ToScalar(node.Input(1)) : node.Int(0);
  const ir::Value rows = node.Unsqueeze(node.Range(node.Int(0), node.SizeOf(x, rank - 2)), {1});
  const ir::Value columns = node.Range(node.Int(0), node.SizeOf(x, rank - 1));
  const ir::Value distance = node.Minus(columns, rows);
  const ir::Value keep = node.Add(upper ? ir::GreaterEqualOp() : ir::LessEqualOp(), {distance, k});
  return node.Finish({node.Add(ir::SelectOp(), {keep, x, node.ScalarLike(x, 0)})});
}

}  // namespace burin::onnx

// Broadcasts before operations that broadcast by themselves go; the others move down:
//
//   f(Broadcast(x), y)         => f(x, y)              f element-wise under NumPy's rule
//   MatMul(Broadcast(x), y)    => MatMul(x, y)         where only batch dimensions stretch
//   f(Broadcast(x), scalar...) => Broadcast(f(x, scalar...))   f element-wise, with any number of scalars
//
// Broadcast may be a Tile too: for the first two forms one that repeats ones alone. In all modes of Broadcast each
// dimension of x is 1 or that of its output. Where it stands at the same distance from the innermost as that one, the
// reader stretches it itself to the same elements, provided that its output keeps its shape: in every run, by what is
// known of the sizes, dimension by dimension. (y certainly fits x, since it fits the broadcast x.) In the explicit mode
// the axes must be known to be the innermost ones.
//
// The first two forms leave the Broadcast to its other readers; the last would double it and so asks that there are
// none. It computes less, unless the target is empty. Conversions are left to the pass that moves them, and
// decompression of weights stays as it is.
//
// The first two forms lessen the inputs that read a Broadcast. The last one lessens the operations below Broadcasts:
// it moves one below another operation, and no rule moves it up again.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/broadcast.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/cleanup/node_copy.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// Returns the Broadcast or Tile that gives the value, or null.
const ir::Node* StretchOf(const ir::Model& model, ir::Value value) {
  if (!value.exists()) return nullptr;
  const ir::Node& node = model.node(value.node);
  return node.code() == OpCode::kBroadcast || node.code() == OpCode::kTile ? &node : nullptr;
}

bool TilesOnlyOnes(const ir::Model& model, const ir::Node& tile) {
  const ir::PartialShape& x = model.info(tile.input(0)).shape;
  const std::optional<std::vector<int64_t>> repeats = ExactIntegers(model.info(tile.input(1)));
  if (!x.has_rank() || !repeats.has_value()) return false;
  const auto count = static_cast<int64_t>(repeats->size());
  for (int64_t d = 0; d < x.rank(); ++d) {
    const int64_t place = count - x.rank() + d;
    const bool repeated = place >= 0 && (*repeats)[static_cast<size_t>(place)] != 1;
    if (repeated && x[d] != ir::Dimension(1)) return false;
  }
  return true;
}

// Returns whether each dimension of the input is certainly 1 or that of the output, counted from the innermost.
bool StretchesFromInnermost(const ir::Model& model, const ir::Node& stretch) {
  if (stretch.code() == OpCode::kTile) return TilesOnlyOnes(model, stretch);
  if (stretch.attributes_as<ir::BroadcastOpAttributes>().mode != ir::BroadcastMode::kExplicit) return true;
  const std::optional<std::vector<int64_t>> axes = ExactIntegers(model.info(stretch.input(2)));
  const ir::PartialShape& output = stretch.output(0).shape;
  if (!axes.has_value() || !output.has_rank()) return false;
  const auto count = static_cast<int64_t>(axes->size());
  for (int64_t d = 0; d < count; ++d) {
    if ((*axes)[static_cast<size_t>(d)] != output.rank() - count + d) return false;
  }
  return true;
}

// Returns whether each input stretches to the shape of all by NumPy's rule.
bool StretchesItself(const ir::Node& node) {
  if (!node.op().Has(ir::kElementwise)) return false;
  const ir::BroadcastRule* const rule = BroadcastRuleOf(node);
  return rule != nullptr && rule->mode == ir::AutoBroadcast::kNumpy;
}

// Returns whether the two innermost dimensions are the same in every run, so that only batch dimensions stretch.
bool KeepsMatrices(const ir::PartialShape& x, const ir::PartialShape& stretched) {
  if (!x.has_rank() || !stretched.has_rank() || x.rank() < 2 || stretched.rank() < 2) return false;
  for (int64_t d = 1; d <= 2; ++d) {
    if (!x[x.rank() - d].MustEqual(stretched[stretched.rank() - d])) return false;
  }
  return true;
}

// Returns whether x and what it stretches to have one size at that place, counted from the innermost, in every run:
// then they make the same of the output there, whatever the other inputs are.
bool SameAt(const ir::PartialShape& x, const ir::PartialShape& stretched, int64_t place) {
  const auto at = [place](const ir::PartialShape& shape) {
    return place < shape.rank() ? shape[shape.rank() - 1 - place] : ir::Dimension(1);
  };
  return at(x).MustEqual(at(stretched));
}

// Returns whether the node's output is of the same shape in every run where input `input` is `x` itself.
bool KeepsShape(const ir::Model& model, const ir::Node& node, int64_t input, ir::Value x) {
  std::vector<const ir::ValueInfo*> infos;
  for (const ir::Value& value : node.inputs()) infos.push_back(value.exists() ? &model.info(value) : nullptr);
  const ir::PartialShape& stretched = model.info(node.input(input)).shape;
  infos[static_cast<size_t>(input)] = &model.info(x);
  const absl::StatusOr<std::vector<ir::ValueInfo>> outputs = ir::InferOp(node.op(), node.attributes(), infos);
  const ir::PartialShape& before = node.output(0).shape;
  if (!outputs.ok() || !model.info(x).shape.has_rank() || !stretched.has_rank() || !before.has_rank()) return false;
  const ir::PartialShape& after = outputs->front().shape;
  if (!SaysAsMuchAs(after, before)) return false;
  // Those of a MatMul's matrices stay.
  const bool is_matmul = node.code() == OpCode::kMatMul;
  const int64_t inner = !is_matmul ? 0 : model.info(node.input(1 - input)).shape.rank() > 1 ? 2 : 1;
  for (int64_t place = inner; place < before.rank(); ++place) {
    const int64_t d = before.rank() - 1 - place;
    const int64_t input_place = is_matmul ? place - inner + 2 : place;
    if (!after[d].MustEqual(before[d]) && !SameAt(model.info(x).shape, stretched, input_place)) return false;
  }
  return true;
}

// Returns whether the node, in whose input `input` a Broadcast stands, makes the same of x itself.
bool NeedsNoBroadcast(const ir::Model& model, const ir::Node& node, int64_t input) {
  const ir::Node& stretch = *StretchOf(model, node.input(input));
  const ir::Value x = stretch.input(0);
  if (node.code() == OpCode::kMatMul) {
    if (!KeepsMatrices(model.info(x).shape, stretch.output(0).shape)) return false;
  } else if (!StretchesItself(node)) {
    return false;
  }
  return StretchesFromInnermost(model, stretch) && KeepsShape(model, node, input, x);
}

// Returns whether all inputs but `input` have one element and do not add dimensions to `x`.
bool OthersAreScalars(const ir::Model& model, const ir::Node& node, int64_t input, ir::Value x) {
  const ir::PartialShape& shape = model.info(x).shape;
  for (int64_t i = 0; i < node.input_count(); ++i) {
    if (i == input || !node.input(i).exists()) continue;
    const ir::PartialShape& other = model.info(node.input(i)).shape;
    if (!other.is_static() || other.ElementCount() != ir::Dimension(1)) return false;
    if (other.rank() > (shape.has_rank() ? shape.rank() : 0)) return false;
  }
  return true;
}

bool MayMoveAbove(const ir::Model& model, const ir::Node& node, int64_t input) {
  if (!node.op().Has(ir::kElementwise) || node.code() == OpCode::kConvert || node.code() == OpCode::kConvertLike) {
    return false;
  }
  const ir::Node& stretch = *StretchOf(model, node.input(input));
  if (IsKeptDecompression(node) || !model.HasOneUse(node.input(input))) return false;
  if (node.input_count() > 1 && !StretchesItself(node)) return false;
  return OthersAreScalars(model, node, input, stretch.input(0));
}

ir::Patch MoveAbove(const ir::Model& model, const ir::Node& node, int64_t input) {
  const ir::Node& stretch = *StretchOf(model, node.input(input));
  ir::Patch patch(model);
  std::vector<ir::Value> inputs(node.inputs().begin(), node.inputs().end());
  inputs[static_cast<size_t>(input)] = stretch.input(0);
  const ir::NodeId above = patch.AddNode(CopyOf(node, std::move(inputs)));
  inputs.assign(stretch.inputs().begin(), stretch.inputs().end());
  inputs[0] = ir::Value{above, 0};
  const ir::NodeId below = patch.AddNode(CopyOf(stretch, std::move(inputs)));
  patch.Replace(ir::Value{node.id(), 0}, ir::Value{below, 0});
  return patch;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> BroadcastRemoval(const ir::Model& model, ir::NodeId id,
                                                          const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (!node.op().Has(ir::kElementwise) && node.code() != OpCode::kMatMul) return std::nullopt;
  bool reads_one = false;
  for (int32_t i = 0; i < node.input_count(); ++i) {
    const ir::Node* const stretch = StretchOf(model, node.input(i));
    if (stretch == nullptr) continue;
    reads_one = true;
    if (NeedsNoBroadcast(model, node, i)) {
      ir::Patch patch(model);
      patch.SetInput(ir::Use{id, i}, stretch->input(0));
      return patch;
    }
    if (MayMoveAbove(model, node, i)) return MoveAbove(model, node, i);
  }
  return Decline(context, id,
                 reads_one ? "a broadcast input may be needed as it is" : "no Broadcast or Tile is among the inputs");
}

}  // namespace burin::transformations

// DecompressionMarking: marks the operations between constant weights of a narrow type and the operation that computes
// with them, so that constant folding leaves the weights narrow.
//
//   Constant -> Convert -> [Subtract zero point] -> [Multiply scale] -> [Reshape, Transpose, ...] -> MatMul, ...
//
// The Convert widens to a float type; a FakeQuantize of constant weights counts as well. Zero points and scales are
// constants or come from constants; the Convert of a zero point is marked too, so that both keep one type.
//
// Where the ComputedTypes of the context widen weights, the mark says the contrary: folding takes the chain, and no
// limit of size keeps it from that. As each operation has as many elements as the weights, what that adds is in
// proportion to what the model brings along.
//
// The number of unmarked nodes decreases.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/runtime_info.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/passes.h"
#include "transformations/precision/computed_types.h"

namespace burin::transformations {
namespace {

// The longest chain in use has a Convert, a zero point, a scale, three moves and another Convert.
constexpr int kMaxChain = 12;

// Returns the inputs of an operation that read weights.
std::vector<int64_t> WeightInputs(ir::OpCode code) {
  switch (code) {
    case ir::OpCode::kMatMul:
      return {0, 1};
    case ir::OpCode::kConvolution:
    case ir::OpCode::kConvolutionBackpropData:
    case ir::OpCode::kGroupConvolution:
    case ir::OpCode::kGroupConvolutionBackpropData:
      return {1};
    case ir::OpCode::kGather:
      return {0};
    case ir::OpCode::kLSTMSequence:
      return {4, 5};
    case ir::OpCode::kGRUSequence:
    case ir::OpCode::kRNNSequence:
      return {3, 4};
    default:
      return {};
  }
}

bool MovesWeights(ir::OpCode code) {
  return code == ir::OpCode::kReshape || code == ir::OpCode::kTranspose || code == ir::OpCode::kSqueeze ||
         code == ir::OpCode::kUnsqueeze;
}

// Products of i32 have weights too, which only folding minds: they are no decompression where weights stay narrow.
bool IsWidening(const ir::Model& model, const ir::Node& node, bool folds) {
  if (node.code() != ir::OpCode::kConvert) return false;
  const ElementType from = model.info(node.input(0)).type;
  const ElementType to = node.output(0).type;
  return (IsFloat(to) || (folds && to == ElementType::kI32)) && BitWidth(from) < BitWidth(to);
}

// Collects what lies between `value` and a Constant, moves and conversions only; false where there is no Constant.
bool FollowToConstant(const ir::Model& model, ir::Value value, std::vector<ir::NodeId>* chain) {
  for (int step = 0; step < kMaxChain && value.exists(); ++step) {
    const ir::Node& node = model.node(value.node);
    if (node.code() == ir::OpCode::kConstant) return true;
    if (!MovesWeights(node.code()) && node.code() != ir::OpCode::kConvert) return false;
    chain->push_back(node.id());
    value = node.input(0);
  }
  return false;
}

// Returns which input of a Multiply or Subtract the weights come in by, the other one being a scale or zero point made
// of constants. A scale is broadcast to the weights, not they to it.
std::optional<int64_t> WeightSide(const ir::Model& model, const ir::Node& node) {
  const bool first = node.code() == ir::OpCode::kSubtract || model.info(node.input(0)).shape == node.output(0).shape;
  const int64_t side = first ? 0 : 1;
  std::vector<ir::NodeId> ignored;
  if (!FollowToConstant(model, node.input(1 - side), &ignored)) return std::nullopt;
  return side;
}

// Appends the conversion of a zero point or scale, and the moves on its way.
void AppendConversion(const ir::Model& model, ir::Value value, bool folds, std::vector<ir::NodeId>* chain) {
  std::vector<ir::NodeId> path;
  if (!FollowToConstant(model, value, &path)) return;
  for (const ir::NodeId id : path) {
    if (!IsWidening(model, model.node(id), folds)) continue;
    chain->insert(chain->end(), path.begin(), path.end());
    return;
  }
}

// Returns the nodes to be marked above an input that reads weights; none where it reads something else.
std::vector<ir::NodeId> DecompressionChain(const ir::Model& model, ir::Value value, bool folds) {
  std::vector<ir::NodeId> chain;
  bool decompresses = false;
  for (int step = 0; step < kMaxChain && value.exists(); ++step) {
    const ir::Node& node = model.node(value.node);
    const ir::OpCode code = node.code();
    if (code == ir::OpCode::kConstant) return decompresses ? chain : std::vector<ir::NodeId>();
    int64_t side = 0;
    if (code == ir::OpCode::kMultiply || code == ir::OpCode::kSubtract) {
      const std::optional<int64_t> found = WeightSide(model, node);
      if (!found.has_value()) return {};
      side = *found;
      // A scale that stays narrow is folded alone.
      if (folds || code == ir::OpCode::kSubtract) AppendConversion(model, node.input(1 - side), folds, &chain);
    } else if (IsWidening(model, node, folds) || code == ir::OpCode::kFakeQuantize) {
      decompresses = true;
    } else if (!MovesWeights(code)) {
      return {};
    }
    chain.push_back(node.id());
    value = node.input(side);
  }
  return {};
}

void Mark(const std::vector<ir::NodeId>& chain, const char* mark, ir::Model& model) {
  for (const ir::NodeId id : chain) {
    ir::RuntimeInfo info = model.node(id).runtime_info();
    info[kDecompressionKey] = mark;
    model.SetRuntimeInfo(id, std::move(info));
  }
}

}  // namespace

absl::Status DecompressionMarking(const ir::Model& model, const ir::PassContext& context, Rewriter& rewriter) {
  const auto* const types = context.Find<ComputedTypes>();
  const bool folds = types != nullptr && types->widens_weights;
  const char* const mark = folds ? kDecompressionFolded : kDecompressionKept;
  for (const ir::NodeId id : model.NodeIds()) {
    for (const int64_t input : WeightInputs(model.node(id).code())) {
      std::vector<ir::NodeId> unmarked;
      for (const ir::NodeId link : DecompressionChain(model, model.node(id).input(input), folds)) {
        const ir::Node& node = model.node(link);
        if (!IsKeptDecompression(node) && !IsFoldedDecompression(node)) unmarked.push_back(link);
      }
      if (unmarked.empty()) continue;
      BURIN_ASSIGN_OR_RETURN(const bool done, rewriter.Edit(unmarked.front(), [&unmarked, mark](ir::Model& edited) {
        Mark(unmarked, mark, edited);
        return absl::OkStatus();
      }));
      if (!done) return absl::OkStatus();
    }
  }
  return absl::OkStatus();
}

}  // namespace burin::transformations

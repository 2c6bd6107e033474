#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/status_macros.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/nodes/reorder_node.h"

namespace burin::cpu {

namespace {

// Returns how many cycles moves take, about: a copy of whole lines takes a quarter of what a reorder takes.
double CyclesOf(const std::vector<ElementMove>& moves, const ValueDesc& output) {
  constexpr double kCopyShare = 0.25;
  const absl::StatusOr<int64_t> bytes = BytesOf(output);
  if (!bytes.ok()) return 0;
  const bool keeps_order = std::all_of(moves.begin(), moves.end(), [](const ElementMove& move) {
    return std::all_of(move.spec.dims.begin(), move.spec.dims.end(),
                       [](const auto& dim) { return dim.extent == 1 || dim.source_stride == dim.destination_stride; });
  });
  const double cycles = ReorderCycles(static_cast<double>(*bytes));
  return keeps_order ? cycles * kCopyShare : cycles;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MovementNode::Create(const char* type_name, MovesFunction moves,
                                                                 const ir::Node& node, MovementLayouts layouts) {
  if (node.outputs().empty()) return absl::UnimplementedError("no kernel moves nothing");
  BURIN_RETURN_IF_ERROR(CheckWholeBytes(node.output(0).type));
  return std::shared_ptr<const Node>(new MovementNode(type_name, moves, &node, layouts));
}

std::vector<NodeCandidate> MovementNode::Candidates(const NodeValues& values, const NodeContext&) const {
  NodeCandidate candidate = RowMajorCandidate(values);
  const size_t rank = values.outputs[0].shape.size();
  if (layouts_ == MovementLayouts::kRowMajor || rank < 3) return {candidate};
  std::vector<NodeCandidate> candidates;
  if (layouts_ == MovementLayouts::kAlike) {
    candidates.push_back(candidate);
    for (size_t i = 0; i < values.inputs.size(); ++i) {
      const NodeInput& input = values.inputs[i];
      if (input.exists && input.desc.shape.size() == rank) candidate.inputs[i] = Layout::kChannelsLast;
    }
    candidate.outputs.assign(values.outputs.size(), Layout::kChannelsLast);
    candidates.push_back(std::move(candidate));
    return candidates;
  }
  for (const Layout from : {Layout::kRowMajor, Layout::kChannelsLast}) {
    for (const Layout to : {Layout::kRowMajor, Layout::kChannelsLast}) {
      candidate.inputs[0] = from;
      candidate.outputs[0] = to;
      NodeValues chosen = values;
      chosen.inputs[0].desc.layout = from;
      chosen.outputs[0].layout = to;
      const absl::StatusOr<std::vector<ElementMove>> moves = moves_(*node_, chosen);
      candidate.cycles = moves.ok() ? CyclesOf(*moves, values.outputs[0]) : 0;
      candidates.push_back(candidate);
    }
  }
  return candidates;
}

absl::StatusOr<std::unique_ptr<const Primitive>> MovementNode::CreatePrimitive(const NodeValues& values,
                                                                               const NodeContext& context) const {
  const absl::StatusOr<std::vector<ElementMove>> moves = moves_(*node_, values);
  if (moves.status().code() == absl::StatusCode::kUnimplemented) return reference_.CreatePrimitive(values, context);
  BURIN_RETURN_IF_ERROR(moves.status());
  return MakeCopyPrimitive(*moves, context);
}

absl::Status CheckWholeBytes(ElementType type) {
  const int bits = BitWidth(type);
  if (bits == 8 || bits == 16 || bits == 32 || bits == 64) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("no kernel moves elements of ", Name(type)));
}

absl::StatusOr<std::vector<int64_t>> ConstantInts(const NodeValues& values, size_t input) {
  const ir::Tensor& constant = values.inputs[input].constant;
  if (!constant.has_value()) return absl::UnimplementedError(absl::StrCat("input ", input, " is not constant"));
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, constant.ToDense());
  std::vector<int64_t> ints;
  for (int64_t i = 0; i < dense.element_count(); ++i) {
    ints.push_back(LoadAsInt64(dense.element_type(), dense.data(), i));
  }
  return ints;
}

ir::StridedView LayoutView(const ValueDesc& desc) {
  const int bytes = BitWidth(desc.type) / 8;
  ir::StridedView view;
  for (const int64_t stride : StridesOf(desc)) view.strides.push_back(stride / bytes);
  return view;
}

void AppendMove(ElementType type, const ir::Shape& box, const ElementView& from, const ElementView& to,
                std::vector<ElementMove>* moves) {
  if (std::find(box.begin(), box.end(), 0) != box.end()) return;
  const int bytes = BitWidth(type) / 8;
  ElementMove move;
  move.input = from.value;
  move.output = to.value;
  move.input_offset = from.view.offset * bytes;
  move.output_offset = to.view.offset * bytes;
  move.spec.element_bytes = bytes;
  for (size_t d = 0; d < box.size(); ++d) {
    move.spec.dims.push_back({box[d], from.view.strides[d] * bytes, to.view.strides[d] * bytes});
  }
  moves->push_back(std::move(move));
}

}  // namespace burin::cpu

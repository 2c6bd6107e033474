#include "transformations/sinking/untransposed.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/concat.h"
#include "ir/ops/fake_quantize.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/gather.h"
#include "ir/ops/interpolate.h"
#include "ir/ops/log_softmax.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/ops/softmax.h"
#include "ir/ops/squeeze.h"
#include "ir/ops/strided_slice.h"
#include "ir/ops/top_k.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/cleanup/node_copy.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"

namespace burin::transformations {
namespace {

using ir::OpCode;
using Integers = std::vector<int64_t>;

// The node, its transposed data, and f' as far as it is made. Functions on it return why f' is not possible, or null.
struct Site {
  const ir::Model& model;
  const ir::Node& node;
  const Permutation& order;
  ir::Patch& patch;
  ir::NodeSpec spec;
  Permutation result_order;  // The q of the file comment.

  int64_t rank() const { return static_cast<int64_t>(order.size()); }
  bool has_input(int64_t i) const { return i < node.input_count() && node.input(i).exists(); }
  // Returns the dimension of x that the axis names; nullopt where there is none.
  std::optional<int64_t> Moved(int64_t axis) const {
    if (axis < 0) axis += rank();
    if (axis < 0 || axis >= rank()) return std::nullopt;
    return order[static_cast<size_t>(axis)];
  }
  // Returns the dimensions of x that an input names.
  std::optional<Integers> MovedInput(int64_t i) const {
    std::optional<Integers> axes = ExactIntegers(model.info(node.input(i)));
    if (!axes.has_value()) return axes;
    for (int64_t& axis : *axes) {
      const std::optional<int64_t> moved = Moved(axis);
      if (!moved.has_value()) return std::nullopt;
      axis = *moved;
    }
    return axes;
  }
  absl::StatusOr<ir::Value> AddList(const Integers& elements) {
    BURIN_ASSIGN_OR_RETURN(ir::Tensor list, IntegerList(elements));
    return patch.AddConstant(std::move(list));
  }
};

using Refusal = const char*;
constexpr Refusal kNone = nullptr;
constexpr Refusal kUnknownAxis = "an axis is not known";
constexpr Refusal kUnknownRank = "the rank of what is transposed is not known";
constexpr Refusal kUnknownList = "a list with an element per dimension is not known";
constexpr Refusal kOtherOrder = "it would go through several axes in another order";

bool IsOneElement(const ir::PartialShape& shape) {
  return shape.is_static() && shape.ElementCount() == ir::Dimension(1);
}

template <class T>
T* MutableAttributes(Site& site) {
  return const_cast<T*>(ir::AttributesAs<T>(*site.spec.attributes));
}

// ---- Element-wise ----

// Returns the rule by which other inputs stand against the data; null where none does.
const ir::BroadcastRule* OperandRule(const ir::Node& node) {
  static const ir::BroadcastRule numpy;
  if (node.code() == OpCode::kPRelu) return &numpy;
  if (const auto* const quantize = ir::AttributesAs<ir::FakeQuantizeAttributes>(node.attributes())) {
    return &quantize->broadcast;
  }
  return BroadcastRuleOf(node);
}

// Returns which dimensions a constant operand of lower rank lacks; nullopt where that is not certain.
std::optional<Integers> MissingAxes(const Site& site, const ir::PartialShape& operand) {
  Integers missing;
  if (site.node.code() == OpCode::kPRelu && operand.rank() == 1 && site.rank() >= 2) {
    const ir::PartialShape& data = site.model.info(site.node.input(0)).shape;
    if (data[1].MustEqual(operand[0])) {
      for (int64_t d = 0; d < site.rank(); ++d) {
        if (d != 1) missing.push_back(d);
      }
      return missing;
    }
    // Whether a slope runs along the channels depends on the sizes.
    if (data[1].MayEqual(operand[0])) return std::nullopt;
  }
  for (int64_t d = 0; d < site.rank() - operand.rank(); ++d) missing.push_back(d);
  return missing;
}

// Puts a constant operand into the order of x.
absl::StatusOr<Refusal> MoveConstant(Site& site, int64_t input) {
  const ir::Value constant = site.node.input(input);
  const ir::PartialShape& shape = site.model.info(constant).shape;
  const ir::BroadcastRule* const rule = OperandRule(site.node);
  if (rule == nullptr) return "an operand may not move";
  if (!shape.has_rank() || shape.rank() > site.rank()) return "a constant operand has more dimensions";
  if (shape.rank() < site.rank() && rule->mode != ir::AutoBroadcast::kNumpy) {
    return "a constant operand of lower rank stands against other dimensions than the last ones";
  }
  const std::optional<Integers> missing = MissingAxes(site, shape);
  if (!missing.has_value()) return "a slope may run along the channels or along the last dimension";
  ir::Value value = constant;
  if (!missing->empty()) {
    BURIN_ASSIGN_OR_RETURN(const ir::Value axes, site.AddList(*missing));
    value = site.patch.Add(ir::UnsqueezeOp(), {value, axes});
  }
  BURIN_ASSIGN_OR_RETURN(const ir::Value back, site.AddList(Inverse(site.order)));
  site.spec.inputs[static_cast<size_t>(input)] = site.patch.Add(ir::TransposeOp(), {value, back});
  return kNone;
}

bool Widens(const ir::Model& model, const ir::Node& node) {
  return BitWidth(node.output(0).type) > BitWidth(model.info(node.input(0)).type);
}

absl::StatusOr<Refusal> MoveElementwise(Site& site) {
  const OpCode code = site.node.code();
  const bool converts = code == OpCode::kConvert || code == OpCode::kConvertLike;
  if (converts && Widens(site.model, site.node)) return "conversions to a wider type move down themselves";
  // What takes the shape of its first input must find that one transposed.
  const bool data_first =
      code == OpCode::kPRelu || code == OpCode::kFakeQuantize || BroadcastRuleOf(site.node) == nullptr;
  if (data_first && TransposedBy(site.model, site.node.input(0)) != site.order) return "the data are not transposed";
  bool has_rank = true;  // Of what stands above every Transpose.
  bool has_constant = false;
  for (int64_t i = 0; i < site.node.input_count(); ++i) {
    const ir::Value input = site.node.input(i);
    if (!input.exists() || (code == OpCode::kConvertLike && i == 1)) continue;
    const std::optional<Permutation> order = TransposedBy(site.model, input);
    if (order.has_value()) {
      if (*order != site.order) return "operands are transposed by different orders";
      const ir::Value data = site.model.node(input.node).input(0);
      has_rank = has_rank && site.model.info(data).shape.has_rank();
      site.spec.inputs[static_cast<size_t>(i)] = data;
      continue;
    }
    const ir::PartialShape& shape = site.model.info(input).shape;
    if (IsOneElement(shape)) {
      if (shape.rank() > site.rank()) return "an operand of one element has more dimensions";
      continue;
    }
    if (site.model.node(input.node).code() != OpCode::kConstant) {
      return "an operand is neither transposed alike nor a constant nor of one element";
    }
    has_constant = true;
    BURIN_ASSIGN_OR_RETURN(const Refusal refusal, MoveConstant(site, i));
    if (refusal != kNone) return refusal;
  }
  // Otherwise the constant could tell less of the shape than it does now.
  return has_constant && !has_rank ? kUnknownRank : kNone;
}

// ---- One axis ----

template <class T>
absl::StatusOr<Refusal> MoveAxisAttribute(Site& site) {
  T* const attributes = MutableAttributes<T>(site);
  const std::optional<int64_t> moved = site.Moved(attributes->axis);
  if (!moved.has_value()) return kUnknownAxis;
  attributes->axis = *moved;
  return kNone;
}

absl::StatusOr<Refusal> MoveAxisInput(Site& site) {
  if (!site.has_input(1)) {
    const Integers first = {site.order.front()};
    BURIN_ASSIGN_OR_RETURN(const ir::Value axis, site.AddList(first));
    site.spec.inputs.resize(1);
    site.spec.inputs.push_back(axis);
    return kNone;
  }
  const std::optional<Integers> moved = site.MovedInput(1);
  if (!moved.has_value() || moved->size() != 1) return kUnknownAxis;
  BURIN_ASSIGN_OR_RETURN(site.spec.inputs[1], site.AddList(*moved));
  return kNone;
}

absl::StatusOr<Refusal> MoveConcat(Site& site) {
  for (int64_t i = 0; i < site.node.input_count(); ++i) {
    const ir::Value input = site.node.input(i);
    if (TransposedBy(site.model, input) == site.order) {
      site.spec.inputs[static_cast<size_t>(i)] = site.model.node(input.node).input(0);
      continue;
    }
    if (site.model.node(input.node).code() != OpCode::kConstant) return "an input is not transposed alike";
    BURIN_ASSIGN_OR_RETURN(const ir::Value back, site.AddList(Inverse(site.order)));
    site.spec.inputs[static_cast<size_t>(i)] = site.patch.Add(ir::TransposeOp(), {input, back});
  }
  return MoveAxisAttribute<ir::ConcatAttributes>(site);
}

// ---- Dimensions that go and come ----

// Returns the order of the result where `count` dimensions have come in place of dimension `axis`.
Permutation ReplaceAxis(const Permutation& order, int64_t axis, int64_t count) {
  const int64_t moved = order[static_cast<size_t>(axis)];
  Permutation result;
  for (int64_t d = 0; d < static_cast<int64_t>(order.size()); ++d) {
    const int64_t place = order[static_cast<size_t>(d)];
    if (d != axis) {
      result.push_back(place < moved ? place : place + count - 1);
      continue;
    }
    for (int64_t k = 0; k < count; ++k) result.push_back(moved + k);
  }
  return result;
}

// Returns the order of what is left once those dimensions of x are gone.
Permutation DropDimensions(const Permutation& order, const Integers& dropped) {
  Permutation result;
  for (const int64_t place : order) {
    if (std::count(dropped.begin(), dropped.end(), place) > 0) continue;
    result.push_back(place - std::count_if(dropped.begin(), dropped.end(), [place](int64_t d) { return d < place; }));
  }
  return result;
}

bool GoesThroughInOrder(const Site& site, const Integers& moved) {
  Integers places;
  for (int64_t d = 0; d < site.rank(); ++d) {
    const int64_t place = site.order[static_cast<size_t>(d)];
    if (std::count(moved.begin(), moved.end(), place) > 0) places.push_back(place);
  }
  return std::is_sorted(places.begin(), places.end());
}

absl::StatusOr<Refusal> MoveReduction(Site& site) {
  const std::optional<Integers> moved = site.MovedInput(1);
  if (!moved.has_value()) return kUnknownAxis;
  if (!GoesThroughInOrder(site, *moved)) return kOtherOrder;
  BURIN_ASSIGN_OR_RETURN(site.spec.inputs[1], site.AddList(*moved));
  const bool keep = site.node.attributes_as<ir::ReductionAttributes>().keep_dims;
  if (!keep) site.result_order = DropDimensions(site.order, *moved);
  return kNone;
}

absl::StatusOr<Refusal> MoveSqueeze(Site& site) {
  if (site.node.attributes_as<ir::SqueezeAttributes>().allow_axis_skip) return "which dimensions go is not known";
  const std::optional<Integers> moved = site.has_input(1) ? site.MovedInput(1) : std::nullopt;
  if (!moved.has_value() || moved->empty()) return "which dimensions go is not known";
  BURIN_ASSIGN_OR_RETURN(site.spec.inputs[1], site.AddList(*moved));
  site.result_order = DropDimensions(site.order, *moved);
  return kNone;
}

// The ones stay where they are; the dimensions between them come in the order of x.
absl::StatusOr<Refusal> MoveUnsqueeze(Site& site) {
  const std::optional<Integers> axes = ExactIntegers(site.model.info(site.node.input(1)));
  if (!axes.has_value() || !site.node.output(0).shape.has_rank()) return kUnknownAxis;
  const int64_t rank = site.node.output(0).shape.rank();
  std::vector<bool> inserted(static_cast<size_t>(rank), false);
  for (const int64_t axis : *axes) inserted[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  Integers places;
  for (int64_t d = 0; d < rank; ++d) {
    if (!inserted[static_cast<size_t>(d)]) places.push_back(d);
  }
  site.result_order.clear();
  size_t next = 0;
  for (int64_t d = 0; d < rank; ++d) {
    const bool is_one = inserted[static_cast<size_t>(d)];
    site.result_order.push_back(is_one ? d : places[static_cast<size_t>(site.order[next++])]);
  }
  return kNone;
}

absl::StatusOr<Refusal> MoveGather(Site& site) {
  const std::optional<Integers> axis = ExactIntegers(site.model.info(site.node.input(2)));
  const std::optional<Integers> moved = site.MovedInput(2);
  const ir::PartialShape& indices = site.model.info(site.node.input(1)).shape;
  if (!moved.has_value() || moved->size() != 1) return kUnknownAxis;
  if (site.node.attributes_as<ir::GatherAttributes>().batch_dims != 0) return "the indices have batch dimensions";
  if (!indices.has_rank()) return "the rank of the indices is not known";
  BURIN_ASSIGN_OR_RETURN(site.spec.inputs[2], site.AddList(*moved));
  const int64_t at = axis->front() < 0 ? axis->front() + site.rank() : axis->front();
  site.result_order = ReplaceAxis(site.order, at, indices.rank());
  return kNone;
}

// ---- Lists ----

// Returns the list, one element per dimension of the transposed data, in the order of x.
Integers InOrder(const Permutation& order, const Integers& list) {
  Integers moved(order.size());
  for (size_t d = 0; d < order.size(); ++d) moved[static_cast<size_t>(order[d])] = list[d];
  return moved;
}

// Replaces the input by its list in the order of x; missing elements are `missing`, at the front or at the end.
absl::StatusOr<Refusal> MoveList(Site& site, int64_t input, int64_t missing, bool at_front) {
  std::optional<Integers> list = ExactIntegers(site.model.info(site.node.input(input)));
  if (!list.has_value() || list->size() > site.order.size()) return kUnknownList;
  list->insert(at_front ? list->begin() : list->end(), site.order.size() - list->size(), missing);
  BURIN_ASSIGN_OR_RETURN(site.spec.inputs[static_cast<size_t>(input)], site.AddList(InOrder(site.order, *list)));
  return kNone;
}

absl::StatusOr<Refusal> MovePad(Site& site) {
  for (const int64_t input : {1, 2}) {
    BURIN_ASSIGN_OR_RETURN(const Refusal refusal, MoveList(site, input, 0, false));
    if (refusal != kNone) return refusal;
  }
  return kNone;
}

absl::StatusOr<Refusal> MoveSlice(Site& site) {
  std::optional<Integers> moved;
  if (site.has_input(4)) {
    moved = site.MovedInput(4);
  } else {
    const ir::PartialShape& start = site.model.info(site.node.input(1)).shape;
    if (start.is_static() && start.rank() == 1 && start[0].value() <= site.rank()) {
      moved.emplace(site.order.begin(), site.order.begin() + start[0].value());
    }
  }
  if (!moved.has_value()) return kUnknownAxis;
  site.spec.inputs.resize(4);
  BURIN_ASSIGN_OR_RETURN(const ir::Value axes, site.AddList(*moved));
  site.spec.inputs.push_back(axes);
  return kNone;
}

bool IsSetAnywhere(const Integers& mask) {
  return std::any_of(mask.begin(), mask.end(), [](int64_t bit) { return bit != 0; });
}

// Spreads a mask to all dimensions, those without a step being taken whole, and puts it into the order of x.
Integers MovedMask(const Site& site, Integers mask, size_t steps) {
  mask.resize(steps, 0);
  mask.resize(site.order.size(), 1);
  return InOrder(site.order, mask);
}

absl::StatusOr<Refusal> MoveStridedSlice(Site& site) {
  auto* const attributes = MutableAttributes<ir::StridedSliceAttributes>(site);
  if (IsSetAnywhere(attributes->new_axis_mask) || IsSetAnywhere(attributes->shrink_axis_mask) ||
      IsSetAnywhere(attributes->ellipsis_mask)) {
    return "the slice gives, takes or skips dimensions";
  }
  const std::optional<Integers> begin = ExactIntegers(site.model.info(site.node.input(1)));
  if (!begin.has_value() || begin->size() > site.order.size()) return kUnknownList;
  for (int64_t input = 1; input <= 3; ++input) {
    if (!site.has_input(input)) continue;
    BURIN_ASSIGN_OR_RETURN(const Refusal refusal, MoveList(site, input, input == 3 ? 1 : 0, false));
    if (refusal != kNone) return refusal;
  }
  attributes->begin_mask = MovedMask(site, attributes->begin_mask, begin->size());
  attributes->end_mask = MovedMask(site, attributes->end_mask, begin->size());
  attributes->new_axis_mask.clear();
  attributes->shrink_axis_mask.clear();
  attributes->ellipsis_mask.clear();
  return kNone;
}

absl::StatusOr<Refusal> MoveInterpolate(Site& site) {
  auto* const attributes = MutableAttributes<ir::InterpolateAttributes>(site);
  const std::optional<Integers> moved = site.has_input(2) ? site.MovedInput(2) : site.order;
  if (!moved.has_value()) return kUnknownAxis;
  if (attributes->mode != ir::InterpolateMode::kNearest && !GoesThroughInOrder(site, *moved)) return kOtherOrder;
  for (Integers* const pads : {&attributes->pads_begin, &attributes->pads_end}) {
    if (pads->size() > site.order.size()) return kUnknownList;
    pads->resize(site.order.size(), 0);
    *pads = InOrder(site.order, *pads);
  }
  // The parts of the axes, input 3, are in the order of the list of axes.
  site.spec.inputs.resize(std::max<size_t>(site.spec.inputs.size(), 3));
  BURIN_ASSIGN_OR_RETURN(site.spec.inputs[2], site.AddList(*moved));
  return kNone;
}

absl::StatusOr<Refusal> MoveTile(Site& site) { return MoveList(site, 1, 1, true); }

using Move = absl::StatusOr<Refusal> (*)(Site& site);

// Returns what puts the node into the order of its data; null for an operation that is not known here.
Move MoveOf(const ir::Node& node) {
  if (node.op().Has(ir::kElementwise)) return &MoveElementwise;
  if (ir::AttributesAs<ir::ReductionAttributes>(node.attributes()) != nullptr) return &MoveReduction;
  switch (node.code()) {
    case OpCode::kConcat:
      return &MoveConcat;
    case OpCode::kSoftmax:
      return &MoveAxisAttribute<ir::SoftmaxAttributes>;
    case OpCode::kLogSoftmax:
      return &MoveAxisAttribute<ir::LogSoftmaxAttributes>;
    case OpCode::kTopK:
      return &MoveAxisAttribute<ir::TopKAttributes>;
    case OpCode::kCumSum:
    case OpCode::kSplit:
    case OpCode::kVariadicSplit:
      return &MoveAxisInput;
    case OpCode::kSqueeze:
      return &MoveSqueeze;
    case OpCode::kUnsqueeze:
      return &MoveUnsqueeze;
    case OpCode::kGather:
      return &MoveGather;
    case OpCode::kPad:
      return &MovePad;
    case OpCode::kSlice:
      return &MoveSlice;
    case OpCode::kStridedSlice:
      return &MoveStridedSlice;
    case OpCode::kInterpolate:
      return &MoveInterpolate;
    case OpCode::kTile:
      return &MoveTile;
    default:
      return nullptr;
  }
}

// Returns the order of the first of the data that is transposed.
std::optional<Permutation> OrderOfData(const ir::Model& model, const ir::Node& node) {
  const bool all = node.op().Has(ir::kElementwise) || node.code() == OpCode::kConcat;
  const int64_t count = all ? node.input_count() : 1;
  for (int64_t i = 0; i < count; ++i) {
    std::optional<Permutation> order = TransposedBy(model, node.input(i));
    if (order.has_value()) return order;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Permutation> TransposedBy(const ir::Model& model, ir::Value value) {
  if (!value.exists()) return std::nullopt;
  const ir::Node& node = model.node(value.node);
  if (node.code() != OpCode::kTranspose || IsKeptDecompression(node)) return std::nullopt;
  std::optional<Permutation> order = OrderOf(model, node);
  if (!order.has_value() || IsIdentity(*order)) return std::nullopt;
  return order;
}

bool MayUntranspose(const ir::Node& node) { return MoveOf(node) != nullptr; }

absl::StatusOr<std::optional<Untransposed>> Untranspose(const ir::Model& model, const ir::Node& node,
                                                        const ir::PassContext& context, ir::Patch* patch) {
  const Move move = MoveOf(node);
  if (move == nullptr) return std::nullopt;
  const std::optional<Permutation> order = OrderOfData(model, node);
  if (!order.has_value()) {
    Decline(context, node.id(), "no data come from a Transpose by a known order");
    return std::nullopt;
  }
  if (IsKeptDecompression(node)) {
    Decline(context, node.id(), "it belongs to the decompression of weights");
    return std::nullopt;
  }
  Site site{model, node, *order, *patch, CopyOf(node, {node.inputs().begin(), node.inputs().end()}), *order};
  const bool all = node.op().Has(ir::kElementwise) || node.code() == OpCode::kConcat;
  bool has_rank = true;
  if (!all) {
    site.spec.inputs[0] = model.node(node.input(0).node).input(0);
    has_rank = model.info(site.spec.inputs[0]).shape.has_rank();
  }
  Refusal refusal = kUnknownRank;
  if (has_rank) {
    BURIN_ASSIGN_OR_RETURN(refusal, move(site));
  }
  if (refusal != kNone) {
    Decline(context, node.id(), refusal);
    return std::nullopt;
  }
  Untransposed result;
  result.spec = std::move(site.spec);
  result.orders.assign(static_cast<size_t>(node.output_count()), site.result_order);
  return result;
}

}  // namespace burin::transformations

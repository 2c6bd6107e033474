// An operation that gives its first input unchanged, whatever the sizes allowed by the symbols => that input.
//
// Convert and ConvertLike to the same type; rounding of integers; Reshape, Squeeze, Unsqueeze, Transpose, Broadcast and
// Tile to the same shape and order; slices of everything; Pad by nothing; Roll by nothing; Concat of one input, Split
// and VariadicSplit into one part. What two unnamed dynamic dimensions have in common is not known, so that a shape
// they are part of proves nothing by itself.
//
// Each firing removes one node.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/broadcast.h"
#include "ir/ops/op_code.h"
#include "ir/ops/reshape.h"
#include "ir/ops/strided_slice.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// A node and what is known around it.
struct Site {
  const ir::Model& model;
  const ir::Node& node;

  const ir::ValueInfo& input(int64_t i) const { return model.info(node.input(i)); }
  bool has_input(int64_t i) const { return i < node.input_count() && node.input(i).exists(); }
  const ir::PartialShape& data_shape() const { return input(0).shape; }
  const ir::PartialShape& output_shape() const { return node.output(0).shape; }
};

bool ConvertsNothing(const Site& site) {
  const ElementType type = site.input(0).type;
  if (type != site.node.output(0).type) return false;
  // The formats of 8 bits and less go through a conversion that makes finite numbers of infinities.
  return !IsFloat(type) || BitWidth(type) >= 16;
}

// Whether the element stands for the data's dimension at its place, whatever that is.
bool ReshapeKeepsDimension(const Site& site, const ir::Dimension& element, int64_t place, bool special_zero) {
  if (special_zero && element == ir::Dimension(0)) return true;
  return element.MustEqual(site.data_shape()[place]);
}

bool ReshapesNothing(const Site& site) {
  if (IsShapeOf(site.model, site.node.input(1), site.node.input(0))) return true;
  const ir::PartialShape& data = site.data_shape();
  const std::optional<ir::PartialValue>& pattern = site.input(1).content;
  if (!data.has_rank() || !pattern.has_value() || !site.output_shape().has_rank()) return false;
  if (site.output_shape().rank() != data.rank()) return false;
  // A scalar pattern, or a list of one, that asks for a scalar or keeps one is of no other rank than its output.
  if (static_cast<int64_t>(pattern->size()) != data.rank()) return data.rank() == 0;
  const bool special_zero = site.node.attributes_as<ir::ReshapeAttributes>().special_zero;
  // One dimension may be inferred: it is the data's where the others are, and are not empty, for an empty tensor has
  // any size there. A special zero takes its dimension out of the count.
  int inferred = 0;
  bool others_have_elements = true;
  for (int64_t d = 0; d < data.rank(); ++d) {
    const ir::Dimension& element = (*pattern)[static_cast<size_t>(d)];
    if (element == ir::Dimension(-1)) {
      ++inferred;
      continue;
    }
    if (!ReshapeKeepsDimension(site, element, d, special_zero)) return false;
    others_have_elements = others_have_elements && (special_zero || data[d].min() > 0);
  }
  return inferred == 0 || (inferred == 1 && others_have_elements);
}

// Squeeze and Unsqueeze change the rank or nothing.
bool KeepsRank(const Site& site) {
  return site.data_shape().has_rank() && site.output_shape().has_rank() &&
         site.data_shape().rank() == site.output_shape().rank();
}

bool TransposesNothing(const Site& site) {
  if (site.data_shape().has_rank() && site.data_shape().rank() <= 1) return true;
  const std::optional<std::vector<int64_t>> order = ExactIntegers(site.input(1));
  // An empty order reverses. A sorted permutation is that of the dimensions as they are.
  return order.has_value() && !order->empty() && std::is_sorted(order->begin(), order->end());
}

bool AllAre(const std::optional<std::vector<int64_t>>& elements, int64_t value) {
  return elements.has_value() &&
         std::all_of(elements->begin(), elements->end(), [value](int64_t element) { return element == value; });
}

bool BroadcastsNothing(const Site& site) {
  const ir::PartialShape& data = site.data_shape();
  if (MustEqual(data, site.output_shape())) return true;
  if (IsShapeOf(site.model, site.node.input(1), site.node.input(0))) return true;
  if (site.node.attributes_as<ir::BroadcastOpAttributes>().mode != ir::BroadcastMode::kBidirectional) return false;
  const std::optional<std::vector<int64_t>> target = ExactIntegers(site.input(1));
  return data.has_rank() && AllAre(target, 1) && static_cast<int64_t>(target->size()) <= data.rank();
}

bool TilesNothing(const Site& site) {
  const std::optional<std::vector<int64_t>> repeats = ExactIntegers(site.input(1));
  return site.data_shape().has_rank() && AllAre(repeats, 1) &&
         static_cast<int64_t>(repeats->size()) <= site.data_shape().rank();
}

bool PadsNothing(const Site& site) {
  return AllAre(ExactIntegers(site.input(1)), 0) && AllAre(ExactIntegers(site.input(2)), 0);
}

// Whether a slice that goes forward certainly takes all of the dimension: it has its size, or goes one by one from the
// front to the end. Shape inference too takes a stop from 2^31-1 on for the end of any dimension.
struct SlicedDimension {
  const ir::Dimension& data;
  const ir::Dimension& output;
  bool from_front = false;
  bool to_end = false;
};
bool IsWhole(const SlicedDimension& sliced, int64_t step) {
  return sliced.data.MustEqual(sliced.output) || (step == 1 && sliced.from_front && sliced.to_end);
}

bool ReachesEnd(const ir::Dimension& dimension, int64_t stop) {
  return stop >= std::min<int64_t>(dimension.max(), std::numeric_limits<int32_t>::max());
}

bool SlicesNothing(const Site& site) {
  const ir::PartialShape& data = site.data_shape();
  const std::optional<std::vector<int64_t>> start = ExactIntegers(site.input(1));
  const std::optional<std::vector<int64_t>> stop = ExactIntegers(site.input(2));
  const std::optional<std::vector<int64_t>> step = ExactIntegers(site.input(3));
  if (!data.has_rank() || !step.has_value()) return false;
  std::optional<std::vector<int64_t>> axes;
  if (site.has_input(4)) {
    axes = ExactIntegers(site.input(4));
    if (!axes.has_value()) return false;
  }
  for (size_t i = 0; i < step->size(); ++i) {
    int64_t axis = axes.has_value() ? (*axes)[i] : static_cast<int64_t>(i);
    if (axis < 0) axis += data.rank();
    if ((*step)[i] <= 0) return false;
    SlicedDimension sliced{data[axis], site.output_shape()[axis]};
    sliced.from_front = start.has_value() && (*start)[i] == 0;
    sliced.to_end = stop.has_value() && ReachesEnd(data[axis], (*stop)[i]);
    if (!IsWhole(sliced, (*step)[i])) return false;
  }
  return true;
}

bool IsSet(const std::vector<int64_t>& mask, size_t place) { return place < mask.size() && mask[place] != 0; }

bool StridedSlicesNothing(const Site& site) {
  const auto& attributes = site.node.attributes_as<ir::StridedSliceAttributes>();
  const std::optional<std::vector<int64_t>> begin = ExactIntegers(site.input(1));
  const std::optional<std::vector<int64_t>> end = ExactIntegers(site.input(2));
  const ir::PartialShape& data = site.data_shape();
  if (!data.has_rank() || !begin.has_value() || !end.has_value()) return false;
  std::vector<int64_t> stride(begin->size(), 1);
  if (site.has_input(3)) {
    const std::optional<std::vector<int64_t>> given = ExactIntegers(site.input(3));
    if (!given.has_value()) return false;
    stride = *given;
  }
  for (size_t i = 0; i < begin->size(); ++i) {
    // These give and take dimensions, so that places and dimensions part.
    if (IsSet(attributes.new_axis_mask, i) || IsSet(attributes.shrink_axis_mask, i) ||
        IsSet(attributes.ellipsis_mask, i) || stride[i] <= 0) {
      return false;
    }
    const auto axis = static_cast<int64_t>(i);
    SlicedDimension sliced{data[axis], site.output_shape()[axis]};
    sliced.from_front = IsSet(attributes.begin_mask, i) || (*begin)[i] == 0;
    sliced.to_end = IsSet(attributes.end_mask, i) || ReachesEnd(data[axis], (*end)[i]);
    if (!IsWhole(sliced, stride[i])) return false;
  }
  return true;
}

bool ChangesNothing(const Site& site) {
  switch (site.node.code()) {
    case OpCode::kConvert:
    case OpCode::kConvertLike:
      return ConvertsNothing(site);
    case OpCode::kFloor:
    case OpCode::kCeiling:
    case OpCode::kRound:
      return IsInteger(site.input(0).type);
    case OpCode::kAbs:
      return IsUnsignedInteger(site.input(0).type);
    case OpCode::kReshape:
      return ReshapesNothing(site);
    case OpCode::kSqueeze:
    case OpCode::kUnsqueeze:
      return KeepsRank(site);
    case OpCode::kTranspose:
      return TransposesNothing(site);
    case OpCode::kBroadcast:
      return BroadcastsNothing(site);
    case OpCode::kTile:
      return TilesNothing(site);
    case OpCode::kPad:
      return PadsNothing(site);
    case OpCode::kSlice:
      return SlicesNothing(site);
    case OpCode::kStridedSlice:
      return StridedSlicesNothing(site);
    case OpCode::kRoll:
      return AllAre(ExactIntegers(site.input(1)), 0);
    case OpCode::kConcat:
      return site.node.input_count() == 1;
    case OpCode::kSplit:
    case OpCode::kVariadicSplit:
      return site.node.output_count() == 1;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> EliminateIdentityOps(const ir::Model& model, ir::NodeId node,
                                                              const ir::PassContext& context) {
  const Site site{model, model.node(node)};
  if (!ChangesNothing(site)) {
    return Decline(context, node, [&] { return absl::StrCat(site.node.op().name, " may change its input"); });
  }
  ir::Patch patch(model);
  patch.Replace(ir::Value{node, 0}, site.node.input(0));
  return patch;
}

}  // namespace burin::transformations

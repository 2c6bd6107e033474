#include "transformations/folding/channel_constant.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/element_access.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/matcher/facts.h"

namespace burin::transformations {
namespace {

// As MagnitudesOf(), in one pass over the bits, since weights are large: the bits of a float but its sign, read as a
// signed integer of its width, are in the order of its magnitude.
template <class Bits>
Magnitudes MagnitudesOfBits(const ir::Tensor& dense) {
  constexpr Bits kAllButSign = std::numeric_limits<Bits>::max();
  // Lane by lane, with operations that every vector unit has: compilers make vectors of these loops.
  constexpr size_t kLanes = 16;
  std::array<Bits, kLanes> largest = {};
  std::array<Bits, kLanes> smallest;
  // Less 1, by which zero becomes the largest of all.
  std::array<Bits, kLanes> smallest_but_zero;
  smallest.fill(kAllButSign);
  smallest_but_zero.fill(kAllButSign);
  const auto add = [&](size_t lane, Bits element) {
    const auto bits = static_cast<Bits>(element & kAllButSign);
    const auto less_1 = static_cast<Bits>((bits - 1) & kAllButSign);
    largest[lane] = bits > largest[lane] ? bits : largest[lane];
    smallest[lane] = bits < smallest[lane] ? bits : smallest[lane];
    smallest_but_zero[lane] = less_1 < smallest_but_zero[lane] ? less_1 : smallest_but_zero[lane];
  };
  const auto* const elements = static_cast<const Bits*>(dense.data());
  const auto count = static_cast<size_t>(dense.element_count());
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) add(lane, elements[i + lane]);
  }
  for (; i < count; ++i) add(0, elements[i]);
  const Bits any_largest = *std::max_element(largest.begin(), largest.end());
  const Bits any_smallest_but_zero = *std::min_element(smallest_but_zero.begin(), smallest_but_zero.end());
  const auto value_of = [&dense](Bits bits) { return LoadAsDouble(dense.element_type(), &bits, 0); };
  Magnitudes magnitudes;
  magnitudes.largest = value_of(any_largest);
  magnitudes.finite = std::isfinite(magnitudes.largest);
  magnitudes.any_zero = *std::min_element(smallest.begin(), smallest.end()) == 0;
  if (any_smallest_but_zero != kAllButSign) {
    magnitudes.smallest_but_zero = value_of(static_cast<Bits>(any_smallest_but_zero + 1));
  }
  return magnitudes;
}

}  // namespace

using ir::OpCode;

bool IsConvolution(OpCode code) {
  return code == OpCode::kConvolution || code == OpCode::kGroupConvolution ||
         code == OpCode::kConvolutionBackpropData || code == OpCode::kGroupConvolutionBackpropData;
}

bool IsAnchor(OpCode code) { return code == OpCode::kMatMul || IsConvolution(code); }

std::optional<int64_t> ChannelAxis(const ir::Model& model, const ir::Node& anchor) {
  const ir::PartialShape& output = anchor.output(0).shape;
  if (!output.has_rank()) return std::nullopt;
  if (IsConvolution(anchor.code())) return 1;
  const ir::PartialShape& columns = model.info(anchor.input(1)).shape;
  if (!columns.has_rank() || columns.rank() < 2) return std::nullopt;
  return output.rank() - 1;
}

bool IsConvertedInteger(const ir::Model& model, ir::Value value) {
  const ir::Node& node = model.node(value.node);
  return node.code() == OpCode::kConvert && !IsFloat(model.info(node.input(0)).type);
}

std::optional<WithConstant> FindConstant(const ir::Model& model, const ir::Node& node) {
  for (const int64_t side : {1, 0}) {
    if (side == 0 && !node.op().Has(ir::kCommutative)) break;
    const ir::Tensor* const constant = ConstantOf(model, node.input(side));
    if (constant == nullptr || ConstantOf(model, node.input(1 - side)) != nullptr) continue;
    return WithConstant{&node, node.input(1 - side), node.input(side), constant};
  }
  return std::nullopt;
}

bool KeepsSize(const ir::Tensor& a, const ir::Tensor& b) {
  const absl::StatusOr<ir::PartialShape> shape = ir::Broadcast(a.shape(), b.shape());
  return shape.ok() && shape->ElementCount() == ir::Dimension(std::max(a.element_count(), b.element_count()));
}

std::optional<ir::Shape> PerChannelShape(const ir::BroadcastRule& rule, const ir::Shape& constant,
                                         const ir::PartialShape& data, int64_t axis) {
  if (!data.has_rank()) return std::nullopt;
  const auto rank = static_cast<int64_t>(constant.size());
  if (rank > data.rank() || (rule.mode == ir::AutoBroadcast::kNone && rank != data.rank())) return std::nullopt;
  const ir::Shape aligned = ir::AlignShape(rule, constant, data.rank());
  for (int64_t d = 0; d < data.rank(); ++d) {
    const int64_t size = aligned[static_cast<size_t>(d)];
    if (size != 1 && (d != axis || size == 0 || !data[d].MustEqual(ir::Dimension(size)))) return std::nullopt;
  }
  return aligned;
}

absl::StatusOr<ir::Value> AddReshape(ir::Patch& patch, ir::Value value, const ir::Shape& shape) {
  BURIN_ASSIGN_OR_RETURN(ir::Tensor pattern, IntegerList(shape));
  return patch.Add(ir::ReshapeOp(), {value, patch.AddConstant(std::move(pattern))});
}

ir::Shape OnesBut(const ir::Shape& shape, int64_t axis) {
  ir::Shape ones(shape.size(), 1);
  ones[static_cast<size_t>(axis)] = shape[static_cast<size_t>(axis)];
  return ones;
}

absl::StatusOr<Magnitudes> MagnitudesOf(const ir::Tensor& constant) {
  BURIN_CHECK(IsWideFloat(constant.element_type())) << "not a float type of 16 bits or more";
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, constant.ToDense());
  switch (BitWidth(dense.element_type())) {
    case 16:
      return MagnitudesOfBits<int16_t>(dense);
    case 32:
      return MagnitudesOfBits<int32_t>(dense);
    default:
      return MagnitudesOfBits<int64_t>(dense);
  }
}

bool IsWideFloat(ElementType type) { return IsFloat(type) && BitWidth(type) >= 16; }

double LargestFinite(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return std::numeric_limits<double>::max();
    case ElementType::kF32:
      return std::numeric_limits<float>::max();
    case ElementType::kBf16:
      return 0x1.FEp127;
    default:
      BURIN_CHECK(type == ElementType::kF16) << "not a float type of 16 bits or more";
      return 65504;
  }
}

double SmallestNormal(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return std::numeric_limits<double>::min();
    case ElementType::kF32:
    case ElementType::kBf16:
      return std::numeric_limits<float>::min();
    default:
      BURIN_CHECK(type == ElementType::kF16) << "not a float type of 16 bits or more";
      return 0x1p-14;
  }
}

bool MayScale(ElementType type, const Magnitudes& data, const Magnitudes& factor) {
  if (!data.finite || !factor.finite) return false;
  if (data.largest == 0 || factor.largest == 0) return true;
  return data.largest * factor.largest <= LargestFinite(type) &&
         data.largest * factor.smallest_but_zero >= SmallestNormal(type);
}

bool MayDivide(ElementType type, const Magnitudes& data, const Magnitudes& divisor) {
  if (!data.finite || !divisor.finite || divisor.any_zero) return false;
  if (data.largest == 0) return true;
  return data.largest / divisor.smallest_but_zero <= LargestFinite(type) &&
         data.largest / divisor.largest >= SmallestNormal(type);
}

}  // namespace burin::transformations

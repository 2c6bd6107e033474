// IntegerProducts: products and convolutions of i32 are computed in f32, where every sum is exact there.
//
//   MatMul(a, b) in i32 => Convert(MatMul(Convert(a, f32), Convert(b, f32)), i32)
//
// and convolutions likewise. f32 holds every integer up to 2^24, so a sum is exact in any order if the magnitudes of
// its terms add up to no more. What is multiplied are bytes less a zero point, mostly with weights whose sums are
// known: |a| is bounded by the types it comes from, and the sum over |b| is taken from a Constant, or bounded like |a|.
//
// Only where the ComputedTypes of the context ask for it. Each firing removes a product of i32.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/convert.h"
#include "ir/ops/matmul.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"
#include "transformations/precision/computed_types.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// Up to here f32 has every integer.
constexpr int64_t kMaxExact = int64_t{1} << 24;
// A quantised value is at most a conversion, a zero point and some moves away from its bytes.
constexpr int kMaxDepth = 8;

struct Range {
  int64_t low = 0;
  int64_t high = 0;

  int64_t Magnitude() const { return std::max(std::abs(low), std::abs(high)); }
};

// Returns the range of an integer type of at most 16 bits.
std::optional<Range> RangeOfType(ElementType type) {
  if (type == ElementType::kBoolean) return Range{0, 1};
  if (!IsInteger(type) || BitWidth(type) > 16) return std::nullopt;
  const int64_t count = int64_t{1} << BitWidth(type);
  return IsSignedInteger(type) ? Range{-count / 2, count / 2 - 1} : Range{0, count - 1};
}

// Returns the elements of a Constant of i32, or null.
const int32_t* ElementsOf(const ir::Tensor* constant) {
  if (constant == nullptr || !constant->is_dense()) return nullptr;
  const absl::StatusOr<const int32_t*> elements = constant->CheckedData<int32_t>();
  return elements.ok() ? *elements : nullptr;
}

bool Moves(OpCode code) {
  return code == OpCode::kReshape || code == OpCode::kTranspose || code == OpCode::kSqueeze ||
         code == OpCode::kUnsqueeze || code == OpCode::kBroadcast;
}

std::optional<Range> RangeOf(const ir::Model& model, ir::Value value, int depth = 0) {
  const ir::Node& node = model.node(value.node);
  if (const std::optional<Range> range = RangeOfType(model.info(value).type); range.has_value()) return range;
  if (model.info(value).type != ElementType::kI32 || depth == kMaxDepth) return std::nullopt;
  const ir::Tensor* const constant = ConstantOf(model, value);
  if (constant != nullptr) {
    const int32_t* const elements = ElementsOf(constant);
    if (elements == nullptr || constant->element_count() == 0) return std::nullopt;
    const auto [low, high] = std::minmax_element(elements, elements + constant->element_count());
    return Range{*low, *high};
  }
  if (Moves(node.code())) return RangeOf(model, node.input(0), depth + 1);
  // What i32 does not hold would wrap.
  if (node.code() == OpCode::kConvert) return RangeOfType(model.info(node.input(0)).type);
  if (node.code() != OpCode::kSubtract) return std::nullopt;
  const std::optional<Range> left = RangeOf(model, node.input(0), depth + 1);
  const std::optional<Range> right = RangeOf(model, node.input(1), depth + 1);
  if (!left.has_value() || !right.has_value()) return std::nullopt;
  const Range difference = {left->low - right->high, left->high - right->low};
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  return difference.Magnitude() <= kMost ? std::optional<Range>(difference) : std::nullopt;
}

// The weights as [outer, terms, inner], where a sum goes over `terms`.
struct Weights {
  int64_t outer = 1;
  int64_t terms = 1;
  int64_t inner = 1;
};

Weights Split(const ir::Node& node, const ir::Shape& shape) {
  const auto product = [&shape](size_t begin, size_t end) {
    int64_t size = 1;
    for (size_t i = begin; i < end; ++i) size *= shape[i];
    return size;
  };
  const size_t rank = shape.size();
  if (node.code() == OpCode::kMatMul) {
    const bool last = rank == 1 || node.attributes_as<ir::MatMulAttributes>().transpose_b;
    const size_t axis = last ? rank - 1 : rank - 2;
    return {product(0, axis), shape[axis], product(axis + 1, rank)};
  }
  const size_t channels = node.code() == OpCode::kConvolution ? 1 : 2;
  return {product(0, channels), product(channels, rank), 1};
}

// Returns the largest sum of magnitudes.
int64_t LargestSum(const int32_t* elements, const Weights& weights) {
  int64_t largest = 0;
  std::vector<int64_t> sums(static_cast<size_t>(weights.inner));
  for (int64_t i = 0; i < weights.outer; ++i) {
    std::fill(sums.begin(), sums.end(), 0);
    for (int64_t k = 0; k < weights.terms; ++k) {
      for (int64_t& sum : sums) sum += std::abs(int64_t{*elements++});
    }
    for (const int64_t sum : sums) largest = std::max(largest, sum);
  }
  return largest;
}

// Returns a bound of the sums over the second input's magnitudes.
std::optional<int64_t> SumBound(const ir::Model& model, const ir::Node& node) {
  const ir::Value weights = node.input(1);
  const ir::PartialShape& shape = model.info(weights).shape;
  const size_t min_rank = node.code() == OpCode::kMatMul ? 1 : node.code() == OpCode::kConvolution ? 2 : 3;
  if (!shape.is_static() || shape.rank() < static_cast<int64_t>(min_rank)) return std::nullopt;
  const Weights split = Split(node, shape.ToShape());
  if (const int32_t* const elements = ElementsOf(ConstantOf(model, weights)); elements != nullptr) {
    return LargestSum(elements, split);
  }
  const std::optional<Range> range = RangeOf(model, weights);
  if (!range.has_value() || split.terms > kMaxExact) return std::nullopt;
  return range->Magnitude() * split.terms;
}

bool IsProduct(OpCode code) {
  return code == OpCode::kMatMul || code == OpCode::kConvolution || code == OpCode::kGroupConvolution;
}

std::unique_ptr<ir::ConvertAttributes> ConvertTo(ElementType type) {
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = type;
  return attributes;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> IntegerProducts(const ir::Model& model, ir::NodeId id,
                                                         const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (!IsProduct(node.code()) || node.output(0).type != ElementType::kI32) return std::nullopt;
  const auto* const types = context.Find<ComputedTypes>();
  if (types == nullptr || !types->multiplies_integers_in_f32) return Decline(context, id, "nobody asks for f32");
  const std::optional<Range> data = RangeOf(model, node.input(0));
  if (!data.has_value()) return Decline(context, id, "the magnitude of the first input is not known");
  const std::optional<int64_t> sum = SumBound(model, node);
  if (!sum.has_value()) return Decline(context, id, "the sum of the second input's magnitudes is not known");
  // Both are far below 2^31 where the product matters.
  if (*sum > kMaxExact || data->Magnitude() > kMaxExact || *sum * data->Magnitude() > kMaxExact) {
    return Decline(context, id, "sums may be larger than f32 holds exactly");
  }
  ir::Patch patch(model);
  ir::NodeSpec spec;
  spec.op = &node.op();
  spec.attributes = node.attributes().Clone();
  spec.runtime_info = node.runtime_info();
  for (const ir::Value& input : node.inputs()) {
    spec.inputs.push_back(patch.Add(ir::ConvertOp(), {input}, ConvertTo(ElementType::kF32)));
  }
  const ir::Value product = {patch.AddNode(std::move(spec)), 0};
  patch.Replace({id, 0}, patch.Add(ir::ConvertOp(), {product}, ConvertTo(ElementType::kI32)));
  return patch;
}

}  // namespace burin::transformations

// BatchNormInference(x, gamma, beta, mean, variance) => x * scale + shift, where gamma to variance are Constants:
//
//   scale = gamma / sqrt(variance + epsilon)     shift = beta - mean * scale     both of shape [1, C, 1, ...]
//
// Scale and shift are nodes over the Constants, which ConstantFolding computes; for types of 16 bits they are computed
// in f32 and rounded once. What rounds: x * scale and mean * scale each, where x - mean was exact or nearly so. Guards:
// the rank of x is known, since the shape depends on it; scale and shift are finite and of a normal magnitude, for
// else x * scale might overflow, or be NaN, where (x - mean) * scale is not.
//
// Each firing removes a BatchNormInference, which no rule makes.
#include "ir/ops/batch_norm_inference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/convert.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/folding/channel_constant.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

enum Statistic : size_t { kGamma, kBeta, kMean, kVariance, kStatistics };

// Returns whether scale and shift are numbers that the type holds: per channel, no product or sum leaves its range.
absl::StatusOr<bool> AreTame(ElementType type, const std::array<const ir::Tensor*, kStatistics>& statistics,
                             double epsilon) {
  std::array<std::vector<double>, kStatistics> values;
  for (size_t k = 0; k < kStatistics; ++k) {
    BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, statistics[k]->ToDense());
    values[k].resize(static_cast<size_t>(dense.element_count()));
    LoadRangeAsDouble(type, dense.data(), 0, dense.element_count(), values[k].data());
  }
  const ElementType computed = BitWidth(type) < 32 ? ElementType::kF32 : type;
  for (size_t c = 0; c < values[kGamma].size(); ++c) {
    const double spread = values[kVariance][c] + epsilon;
    const double scale = values[kGamma][c] / std::sqrt(spread);
    const double product = values[kMean][c] * scale;
    const double largest = std::max({std::fabs(scale), std::fabs(product), std::fabs(values[kBeta][c] - product)});
    // Written so that a NaN is refused.
    if (!(spread >= SmallestNormal(computed) && spread <= LargestFinite(computed))) return false;
    if (!(largest <= LargestFinite(type) / 2)) return false;
    if (scale != 0 && std::fabs(scale) < SmallestNormal(type)) return false;
  }
  return true;
}

std::unique_ptr<ir::Attributes> ConvertTo(ElementType type) {
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = type;
  return attributes;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> DecomposeBatchNorm(const ir::Model& model, ir::NodeId id,
                                                            const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kBatchNormInference) return std::nullopt;
  const ElementType type = node.output(0).type;
  if (!IsWideFloat(type)) return Decline(context, id, "the type has less than 16 bits");
  const ir::PartialShape& shape = model.info(node.input(0)).shape;
  if (!shape.has_rank()) return Decline(context, id, "the rank of the data is not known");
  std::array<const ir::Tensor*, kStatistics> statistics;
  for (size_t k = 0; k < kStatistics; ++k) {
    statistics[k] = ConstantOf(model, node.input(static_cast<int64_t>(k) + 1));
    if (statistics[k] == nullptr) return Decline(context, id, "gamma, beta, mean or variance is not a Constant");
  }
  const int64_t channels = statistics[kGamma]->element_count();
  if (channels == 0) return Decline(context, id, "there are no channels");
  const double epsilon = node.attributes_as<ir::BatchNormInferenceAttributes>().epsilon;
  BURIN_ASSIGN_OR_RETURN(const bool tame, AreTame(type, statistics, epsilon));
  if (!tame) return Decline(context, id, "a scale or shift is not finite, or nearly so");

  ir::Patch patch(model);
  const ElementType computed = BitWidth(type) < 32 ? ElementType::kF32 : type;
  const auto converted = [&](ir::Value value, ElementType from, ElementType to) {
    return from == to ? value : patch.Add(ir::ConvertOp(), {value}, ConvertTo(to));
  };
  std::array<ir::Value, kStatistics> inputs;
  for (size_t k = 0; k < kStatistics; ++k) {
    inputs[k] = converted(node.input(static_cast<int64_t>(k) + 1), type, computed);
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor number, ir::Tensor::Create(computed, {}));
  StoreFromDouble(computed, number.mutable_data(), 0, epsilon);
  const ir::Value spread = patch.Add(ir::AddOp(), {inputs[kVariance], patch.AddConstant(std::move(number))});
  const ir::Value scale = patch.Add(ir::DivideOp(), {inputs[kGamma], patch.Add(ir::SqrtOp(), {spread})});
  const ir::Value offset = patch.Add(ir::MultiplyOp(), {inputs[kMean], scale});
  const ir::Value shift = patch.Add(ir::SubtractOp(), {inputs[kBeta], offset});

  ir::Shape stretched(static_cast<size_t>(shape.rank()), 1);
  stretched[1] = channels;
  BURIN_ASSIGN_OR_RETURN(const ir::Value factor, AddReshape(patch, converted(scale, computed, type), stretched));
  BURIN_ASSIGN_OR_RETURN(const ir::Value bias, AddReshape(patch, converted(shift, computed, type), stretched));
  const ir::Value scaled = patch.Add(ir::MultiplyOp(), {node.input(0), factor});
  patch.Replace(ir::Value{id, 0}, patch.Add(ir::AddOp(), {scaled, bias}));
  return patch;
}

}  // namespace burin::transformations

// BatchNormInference(x, gamma, beta, mean, variance) => (x - mean) * (gamma * (1 / Sqrt(variance + epsilon))) + beta
//
// What has one element per channel becomes of shape [C, 1, ...], to stand against dimension 1 of x.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/batch_norm_inference.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeBatchNormInference(const ir::Model& model, ir::NodeId id,
                                                                     const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kBatchNormInference) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, node.input(0), node));
  std::vector<int64_t> inner;
  for (int64_t axis = 1; axis < rank - 1; ++axis) inner.push_back(axis);
  Formula f(model, node);
  const auto per_channel = [&](int64_t input) { return f.Widen(f.Unsqueeze(node.input(input), inner)); };
  const ir::Value gamma = per_channel(1);
  const ir::Value beta = per_channel(2);
  const ir::Value mean = per_channel(3);
  const ir::Value variance = per_channel(4);
  const ir::Value epsilon = f.Epsilon(node.attributes_as<ir::BatchNormInferenceAttributes>().epsilon);
  const ir::Value root = f.Apply(ir::SqrtOp(), {f.Apply(ir::AddOp(), {variance, epsilon})});
  const ir::Value scale = f.Apply(ir::DivideOp(), {gamma, root});
  const ir::Value centred = f.Apply(ir::SubtractOp(), {f.Input(0), mean});
  return std::move(f).ReplaceWith(f.Apply(ir::AddOp(), {f.Apply(ir::MultiplyOp(), {centred, scale}), beta}));
}

}  // namespace burin::snippets

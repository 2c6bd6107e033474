#include "tools/models/llama.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "tools/models/encoder.h"
#include "tools/models/layers.h"

namespace burin::models {

namespace {

constexpr float kEpsilon = 1e-5F;
// What a token adds to the scores of those it may not see: finite, so that a row without any is no NaN.
constexpr float kMasked = -1e9F;

// What all layers share.
struct Shared {
  Value cosine;  // [batch, 1, sequence, head_size]
  Value sine;
  Value bias;  // [batch, 1, sequence, past + sequence]
};

struct Cache {
  Value past_key;
  Value past_value;
  Value key;
  Value value;
};

// Returns base^(-2i / head_size) for i below head_size / 2: the angles of the planes, per position.
absl::StatusOr<ir::Tensor> InverseFrequencies(int64_t head_size, double base) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(ElementType::kF32, {1, 1, head_size / 2});
  if (!tensor.ok()) return tensor;
  float* values = tensor->mutable_data_as<float>();
  for (int64_t i = 0; i < head_size / 2; ++i) {
    values[i] = static_cast<float>(std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(head_size)));
  }
  return tensor;
}

Shared MakeShared(const LlamaParameters& p, Value position_ids, Value mask, NetworkBuilder* builder) {
  Shared shared;
  NetworkBuilder::Scope scope(builder, "shared");
  const Value positions = builder->Convert(builder->Unsqueeze(position_ids, {2}), ElementType::kF32);
  const Value frequencies = builder->Constant(InverseFrequencies(p.hidden / p.heads, p.rope_base), "frequencies");
  const Value half = builder->Binary(BinaryOp::kMultiply, positions, frequencies);
  const Value angles = builder->Unsqueeze(builder->Concat({half, half}, -1), {1});
  shared.cosine = builder->Unary(UnaryOp::kCos, angles);
  shared.sine = builder->Unary(UnaryOp::kSin, angles);

  const Value counted = builder->Binary(BinaryOp::kSubtract, builder->CumSum(mask, 1), builder->Scalar64(1));
  const Value not_later =
      builder->Binary(BinaryOp::kLessOrEqual, builder->Unsqueeze(counted, {1}), builder->Unsqueeze(position_ids, {2}));
  const Value token = builder->Unsqueeze(builder->Convert(mask, ElementType::kBoolean), {1});
  const Value visible = builder->Binary(BinaryOp::kAnd, not_later, token);
  const Value bias = builder->Select(visible, builder->Scalar(0), builder->Scalar(kMasked));
  shared.bias = builder->Unsqueeze(bias, {1});
  return shared;
}

// Rotates the planes (i, i + head_size / 2) of x[batch, heads, sequence, head_size] by the tokens' angles.
Value Rotate(NetworkBuilder& builder, const Shared& shared, Value x, int64_t head_size) {
  const Value low = builder.Slice(x, 3, 0, head_size / 2);
  const Value high = builder.Slice(x, 3, head_size / 2, head_size);
  const Value turned = builder.Concat({builder.Unary(UnaryOp::kNegative, high), low}, -1);
  return builder.Binary(BinaryOp::kAdd, builder.Binary(BinaryOp::kMultiply, x, shared.cosine),
                        builder.Binary(BinaryOp::kMultiply, turned, shared.sine));
}

// Repeats each of the kv_heads so that every query head has its own: [batch, kv_heads, t, d] to [batch, heads, t, d].
Value RepeatHeads(NetworkBuilder& builder, const LlamaParameters& p, Value x) {
  if (p.heads == p.kv_heads) return x;
  const Value stretched =
      builder.Expand(builder.Unsqueeze(x, {2}), builder.Integers({1, 1, p.heads / p.kv_heads, 1, 1}));
  return builder.Reshape(stretched, {0, p.heads, -1, p.hidden / p.heads});
}

Value Attention(Layers& layers, const LlamaParameters& p, const Shared& shared, Value x, Cache* cache) {
  NetworkBuilder& builder = layers.builder();
  NetworkBuilder::Scope scope(&builder, "attention");
  const int64_t head_size = p.hidden / p.heads;
  const auto project = [&](const char* name, int64_t heads) {
    const Value y = layers.LinearWithoutBias(name, x, p.hidden, heads * head_size);
    return builder.Transpose(builder.Reshape(y, {0, 0, heads, head_size}), {0, 2, 1, 3});
  };
  const Value query = Rotate(builder, shared, project("query", p.heads), head_size);
  const Value key = Rotate(builder, shared, project("key", p.kv_heads), head_size);
  const Value value = project("value", p.kv_heads);
  cache->key = builder.Concat({cache->past_key, key}, 2);
  cache->value = builder.Concat({cache->past_value, value}, 2);

  const Value keys = builder.Transpose(RepeatHeads(builder, p, cache->key), {0, 1, 3, 2});
  const Value scale = builder.Scalar(static_cast<float>(1 / std::sqrt(static_cast<double>(head_size))));
  const Value scores = builder.Binary(BinaryOp::kMultiply, builder.MatMul(query, keys), scale);
  const Value weights = builder.Softmax(builder.Binary(BinaryOp::kAdd, scores, shared.bias), -1);
  const Value context = builder.MatMul(weights, RepeatHeads(builder, p, cache->value));
  const Value merged = builder.Reshape(builder.Transpose(context, {0, 2, 1, 3}), {0, 0, p.hidden});
  return layers.LinearWithoutBias("output", merged, p.hidden, p.hidden);
}

// down(silu(gate(x)) * up(x))
Value GatedMlp(Layers& layers, const LlamaParameters& p, Value x) {
  NetworkBuilder& builder = layers.builder();
  NetworkBuilder::Scope scope(&builder, "mlp");
  const Value gate = layers.LinearWithoutBias("gate", x, p.hidden, p.intermediate);
  const Value silu = builder.Binary(BinaryOp::kMultiply, gate, builder.Unary(UnaryOp::kSigmoid, gate));
  const Value up = layers.LinearWithoutBias("up", x, p.hidden, p.intermediate);
  const Value product = builder.Binary(BinaryOp::kMultiply, silu, up);
  return layers.LinearWithoutBias("down", product, p.intermediate, p.hidden);
}

absl::Status Check(const LlamaParameters& p) {
  BURIN_RETURN_IF_ERROR(CheckHeads(p.hidden, p.heads));
  if (p.heads % p.kv_heads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("kv_heads must divide heads: kv_heads=", p.kv_heads, ", heads=", p.heads));
  }
  if (p.hidden / p.heads % 2 != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("A head must have an even size, to be rotated: hidden/heads=", p.hidden / p.heads));
  }
  return absl::OkStatus();
}

std::vector<Cache> CacheInputs(const LlamaParameters& p, NetworkBuilder* builder) {
  const ir::Shape shape = {p.batch, p.kv_heads, p.past, p.hidden / p.heads};
  std::vector<Cache> caches(static_cast<size_t>(p.layers));
  for (size_t i = 0; i < caches.size(); ++i) {
    const std::string name = absl::StrCat("past_key_values.", i);
    caches[i].past_key = builder->Input(name + ".key", ElementType::kF32, shape);
    caches[i].past_value = builder->Input(name + ".value", ElementType::kF32, shape);
  }
  return caches;
}

void CacheOutputs(const LlamaParameters& p, const std::vector<Cache>& caches, NetworkBuilder* builder) {
  const ir::Shape shape = {p.batch, p.kv_heads, p.past + p.sequence, p.hidden / p.heads};
  for (size_t i = 0; i < caches.size(); ++i) {
    const std::string name = absl::StrCat("present.", i);
    builder->Output(caches[i].key, name + ".key", ElementType::kF32, shape);
    builder->Output(caches[i].value, name + ".value", ElementType::kF32, shape);
  }
}

}  // namespace

absl::Status BuildLlama(const LlamaParameters& p, NetworkBuilder* builder) {
  BURIN_RETURN_IF_ERROR(Check(p));
  Layers layers(builder, p.seed);
  const Value ids = builder->Input("input_ids", ElementType::kI64, {p.batch, p.sequence});
  const Value mask = builder->Input("attention_mask", ElementType::kI64, {p.batch, p.past + p.sequence});
  const Value position_ids = builder->Input("position_ids", ElementType::kI64, {p.batch, p.sequence});
  std::vector<Cache> caches = CacheInputs(p, builder);

  const Shared shared = MakeShared(p, position_ids, mask, builder);
  const Value table = layers.Table("embeddings", {p.vocabulary, p.hidden});
  Value x = builder->Gather(table, ids, 0);
  for (int64_t i = 0; i < p.layers; ++i) {
    NetworkBuilder::Scope scope(builder, absl::StrCat("layer", i));
    const Value before = layers.RmsNorm("attention_norm", x, p.hidden, kEpsilon);
    x = builder->Binary(BinaryOp::kAdd, x, Attention(layers, p, shared, before, &caches[static_cast<size_t>(i)]));
    const Value between = layers.RmsNorm("mlp_norm", x, p.hidden, kEpsilon);
    x = builder->Binary(BinaryOp::kAdd, x, GatedMlp(layers, p, between));
  }
  x = layers.RmsNorm("norm", x, p.hidden, kEpsilon);
  // The table serves both ends; logits are divided by sqrt(hidden), as it has elements of variance 1.
  const Value scale = builder->Scalar(static_cast<float>(1 / std::sqrt(static_cast<double>(p.hidden))));
  x = builder->Binary(BinaryOp::kMultiply, x, scale);
  const Value logits = builder->MatMul(x, builder->Transpose(table, {1, 0}));
  builder->Output(logits, "logits", ElementType::kF32, {p.batch, p.sequence, p.vocabulary});
  CacheOutputs(p, caches, builder);
  return builder->status();
}

}  // namespace burin::models

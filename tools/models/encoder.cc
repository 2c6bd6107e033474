#include "tools/models/encoder.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace burin::models {

Value SelfAttention(Layers& layers, Value x, int64_t hidden, int64_t heads, std::optional<Value> bias) {
  NetworkBuilder& builder = layers.builder();
  NetworkBuilder::Scope scope(&builder, "attention");
  const int64_t head_size = hidden / heads;
  const auto split = [&](Value y) { return builder.Reshape(y, {0, 0, heads, head_size}); };
  const Value query = builder.Transpose(split(layers.Linear("query", x, hidden, hidden)), {0, 2, 1, 3});
  const Value key = builder.Transpose(split(layers.Linear("key", x, hidden, hidden)), {0, 2, 3, 1});
  const Value value = builder.Transpose(split(layers.Linear("value", x, hidden, hidden)), {0, 2, 1, 3});

  const Value root = builder.Scalar(static_cast<float>(std::sqrt(static_cast<double>(head_size))));
  Value scores = builder.Binary(BinaryOp::kDivide, builder.MatMul(query, key), root);
  if (bias.has_value()) scores = builder.Binary(BinaryOp::kAdd, scores, *bias);
  const Value context = builder.Transpose(builder.MatMul(builder.Softmax(scores, -1), value), {0, 2, 1, 3});
  return layers.Linear("output", builder.Reshape(context, {0, 0, hidden}), hidden, hidden);
}

Value Mlp(Layers& layers, Value x, int64_t hidden, int64_t intermediate) {
  NetworkBuilder::Scope scope(&layers.builder(), "mlp");
  const Value wide = layers.Gelu(layers.Linear("up", x, hidden, intermediate));
  return layers.Linear("down", wide, intermediate, hidden);
}

absl::Status CheckHeads(int64_t hidden, int64_t heads) {
  if (hidden % heads == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("heads must divide hidden: heads=", heads, ", hidden=", hidden));
}

}  // namespace burin::models

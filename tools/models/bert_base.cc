#include "tools/models/bert_base.h"

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "tools/models/encoder.h"
#include "tools/models/layers.h"

namespace burin::models {

namespace {

constexpr float kEpsilon = 1e-12F;
constexpr int64_t kTokenTypes = 2;
// What a masked position adds to its scores: far below any other, and finite, so that a row of masked ones is no NaN.
constexpr float kMasked = -10000;

Value Embeddings(Layers& layers, const BertBaseParameters& p, Value ids, Value token_types) {
  NetworkBuilder& builder = layers.builder();
  NetworkBuilder::Scope scope(&builder, "embeddings");
  const Value words = builder.Gather(layers.Table("word", {p.vocabulary, p.hidden}), ids, 0);
  const Value types = builder.Gather(layers.Table("token_type", {kTokenTypes, p.hidden}), token_types, 0);
  const Value table = layers.Table("position", {p.positions, p.hidden});
  const Value positions = builder.Slice(table, 0, 0, p.sequence);
  const Value sum = builder.Binary(BinaryOp::kAdd, builder.Binary(BinaryOp::kAdd, words, types), positions);
  return layers.LayerNorm("norm", sum, p.hidden, kEpsilon);
}

// Returns 0 where mask[batch, sequence] is 1 and kMasked where it is 0, as [batch, 1, 1, sequence].
Value MaskBias(NetworkBuilder& builder, Value mask) {
  const Value kept = builder.Convert(builder.Unsqueeze(mask, {1, 2}), ElementType::kF32);
  const Value dropped = builder.Binary(BinaryOp::kSubtract, builder.Scalar(1), kept);
  return builder.Binary(BinaryOp::kMultiply, dropped, builder.Scalar(kMasked));
}

}  // namespace

absl::Status BuildBertBase(const BertBaseParameters& p, NetworkBuilder* builder) {
  BURIN_RETURN_IF_ERROR(CheckHeads(p.hidden, p.heads));
  if (p.sequence > p.positions) {
    return absl::InvalidArgumentError(
        absl::StrCat("sequence must not exceed positions: sequence=", p.sequence, ", positions=", p.positions));
  }
  Layers layers(builder, p.seed);
  const ir::Shape tokens = {p.batch, p.sequence};
  const Value ids = builder->Input("input_ids", ElementType::kI64, tokens);
  const Value mask = builder->Input("attention_mask", ElementType::kI64, tokens);
  const Value token_types = builder->Input("token_type_ids", ElementType::kI64, tokens);

  Value x = Embeddings(layers, p, ids, token_types);
  const Value bias = MaskBias(*builder, mask);
  for (int64_t i = 0; i < p.layers; ++i) {
    NetworkBuilder::Scope scope(builder, absl::StrCat("layer", i));
    const Value attended = builder->Binary(BinaryOp::kAdd, SelfAttention(layers, x, p.hidden, p.heads, bias), x);
    x = layers.LayerNorm("attention_norm", attended, p.hidden, kEpsilon);
    const Value widened = builder->Binary(BinaryOp::kAdd, Mlp(layers, x, p.hidden, p.intermediate), x);
    x = layers.LayerNorm("mlp_norm", widened, p.hidden, kEpsilon);
  }
  const Value first = builder->Gather(x, builder->Scalar64(0), 1);
  const Value pooled = builder->Unary(UnaryOp::kTanh, layers.Linear("pooler", first, p.hidden, p.hidden));
  builder->Output(x, "last_hidden_state", ElementType::kF32, {p.batch, p.sequence, p.hidden});
  builder->Output(pooled, "pooler_output", ElementType::kF32, {p.batch, p.hidden});
  return builder->status();
}

}  // namespace burin::models

#include "tools/models/vit_b16.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "tools/models/encoder.h"
#include "tools/models/layers.h"

namespace burin::models {

namespace {

constexpr float kEpsilon = 1e-6F;

// Cuts the image into patches, projects each to a token, puts the class token first and adds the positions.
Value Embeddings(Layers& layers, const VitB16Parameters& p, Value image, int64_t patches) {
  NetworkBuilder& builder = layers.builder();
  NetworkBuilder::Scope scope(&builder, "embeddings");
  const Value projected = layers.Convolution("projection", image, 3, p.hidden, {p.patch, p.patch, 0}, 1, 1);
  const Value tokens = builder.Transpose(builder.Reshape(projected, {0, 0, -1}), {0, 2, 1});
  const Value batch = builder.Slice(builder.ShapeOf(tokens), 0, 0, 1);
  const Value shape = builder.Concat({batch, builder.Integers({1, p.hidden})}, 0);
  const Value class_token = builder.Expand(layers.Table("class_token", {1, 1, p.hidden}), shape);
  const Value sequence = builder.Concat({class_token, tokens}, 1);
  return builder.Binary(BinaryOp::kAdd, sequence, layers.Table("position", {1, patches + 1, p.hidden}));
}

}  // namespace

absl::Status BuildVitB16(const VitB16Parameters& p, NetworkBuilder* builder) {
  BURIN_RETURN_IF_ERROR(CheckHeads(p.hidden, p.heads));
  if (p.image % p.patch != 0) {
    return absl::InvalidArgumentError(absl::StrCat("patch must divide image: patch=", p.patch, ", image=", p.image));
  }
  Layers layers(builder, p.seed);
  const int64_t side = p.image / p.patch;
  const Value image = builder->Input("data", ElementType::kF32, {p.batch, 3, p.image, p.image});
  Value x = Embeddings(layers, p, image, side * side);
  for (int64_t i = 0; i < p.layers; ++i) {
    NetworkBuilder::Scope scope(builder, absl::StrCat("layer", i));
    const Value before = layers.LayerNorm("attention_norm", x, p.hidden, kEpsilon);
    x = builder->Binary(BinaryOp::kAdd, x, SelfAttention(layers, before, p.hidden, p.heads, std::nullopt));
    const Value between = layers.LayerNorm("mlp_norm", x, p.hidden, kEpsilon);
    x = builder->Binary(BinaryOp::kAdd, x, Mlp(layers, between, p.hidden, p.intermediate));
  }
  x = layers.LayerNorm("norm", x, p.hidden, kEpsilon);
  x = layers.Linear("head", builder->Gather(x, builder->Scalar64(0), 1), p.hidden, p.classes);
  builder->Output(x, "logits", ElementType::kF32, {p.batch, p.classes});
  return builder->status();
}

}  // namespace burin::models

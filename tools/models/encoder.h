// The two halves of a transformer encoder's layer, as BERT and ViT share them: self-attention and the MLP.
//
// Source: Vaswani et al., "Attention Is All You Need", 2017. Normalisation and residuals are the caller's, as the
// networks differ there. Not thread-safe.
#ifndef BURIN_TOOLS_MODELS_ENCODER_H_
#define BURIN_TOOLS_MODELS_ENCODER_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "tools/models/layers.h"
#include "tools/models/network_builder.h"

namespace burin::models {

// Attends within x[batch, sequence, hidden] with `heads` heads, which divide `hidden`; `bias`, broadcast to
// [batch, heads, sequence, sequence], is added to the scores. Scope "attention".
Value SelfAttention(Layers& layers, Value x, int64_t hidden, int64_t heads, std::optional<Value> bias);

// Two linear layers with a GELU between them. Scope "mlp".
Value Mlp(Layers& layers, Value x, int64_t hidden, int64_t intermediate);

// InvalidArgument, naming both, unless `heads` divides `hidden`.
absl::Status CheckHeads(int64_t hidden, int64_t heads);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_ENCODER_H_

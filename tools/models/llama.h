// A Llama decoder: RMS normalisation, rotary positions, grouped-query attention, SwiGLU, and a cache of keys and values
// that enters and leaves as tensors.
//
// Sources: Touvron et al., "Llama 2", 2023; Su et al., "RoFormer", 2021; Ainslie et al., "GQA", 2023; Shazeer, "GLU
// Variants Improve Transformer", 2020. Written in primitive operations, as exporters write it. The default sizes are
// those of a model with 135 million weights. Stateless, thread-safe.
#ifndef BURIN_TOOLS_MODELS_LLAMA_H_
#define BURIN_TOOLS_MODELS_LLAMA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "tools/models/network_builder.h"
#include "tools/models/parameters.h"

namespace burin::models {

struct LlamaParameters final : Parameters {
  int64_t sequence = 1;  // New tokens: 1 is a step of decoding.
  int64_t past = 128;    // Tokens in the cache; 0 reads a prompt.
  int64_t layers = 30;
  int64_t hidden = 576;
  int64_t heads = 9;
  int64_t kv_heads = 3;  // Divides `heads`.
  int64_t intermediate = 1536;
  int64_t vocabulary = 49152;
  double rope_base = 10000;

  void VisitParameters(ParameterVisitor& visitor) override {
    Parameters::VisitParameters(visitor);
    visitor.Visit("sequence", sequence, 1, 65536);
    visitor.Visit("past", past, 0, 65536);
    visitor.Visit("layers", layers, 1, 256);
    visitor.Visit("hidden", hidden, 2, 16384);
    visitor.Visit("heads", heads, 1, 256);
    visitor.Visit("kv_heads", kv_heads, 1, 256);
    visitor.Visit("intermediate", intermediate, 1, 65536);
    visitor.Visit("vocabulary", vocabulary, 2, 1000000);
    visitor.Visit("rope_base", rope_base, 1, 1e9);
  }
};

// Inputs: "input_ids" and "position_ids" i64[batch,sequence], "attention_mask" i64[batch,past+sequence] (1 for a token,
// 0 for padding), and per layer "past_key_values.N.key" and ".value" f32[batch,kv_heads,past,hidden/heads]. Outputs:
// "logits" f32[batch,sequence,vocabulary], and "present.N.key" and ".value" with past+sequence tokens. A token attends
// to those that are not padding and whose position, counted over the mask's ones, is at most its own. InvalidArgument
// where heads does not divide hidden, kv_heads does not divide heads, or a head has an odd size.
absl::Status BuildLlama(const LlamaParameters& parameters, NetworkBuilder* builder);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_LLAMA_H_

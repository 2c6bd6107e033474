// BERT, base size: the encoder with its pooler.
//
// Source: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers", 2018. Stateless, thread-safe.
#ifndef BURIN_TOOLS_MODELS_BERT_BASE_H_
#define BURIN_TOOLS_MODELS_BERT_BASE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "tools/models/network_builder.h"
#include "tools/models/parameters.h"

namespace burin::models {

struct BertBaseParameters final : Parameters {
  int64_t sequence = 128;
  int64_t layers = 12;
  int64_t hidden = 768;
  int64_t heads = 12;
  int64_t intermediate = 3072;
  int64_t vocabulary = 30522;
  int64_t positions = 512;  // At least `sequence`.

  void VisitParameters(ParameterVisitor& visitor) override {
    Parameters::VisitParameters(visitor);
    visitor.Visit("sequence", sequence, 1, 65536);
    visitor.Visit("layers", layers, 0, 256);
    visitor.Visit("hidden", hidden, 1, 16384);
    visitor.Visit("heads", heads, 1, 256);
    visitor.Visit("intermediate", intermediate, 1, 65536);
    visitor.Visit("vocabulary", vocabulary, 2, 1000000);
    visitor.Visit("positions", positions, 1, 65536);
  }
};

// Inputs "input_ids", "attention_mask" and "token_type_ids", i64[batch,sequence]; outputs "last_hidden_state"
// f32[batch,sequence,hidden] and "pooler_output" f32[batch,hidden]. InvalidArgument where heads does not divide hidden
// or there are fewer positions than the sequence has.
absl::Status BuildBertBase(const BertBaseParameters& parameters, NetworkBuilder* builder);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_BERT_BASE_H_

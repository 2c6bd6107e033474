// What the inputs and outputs of a decoder mean: tokens, positions, mask and caches in; scores and caches out.
//
// Exporters agree on names by their beginnings only: `past_key_values.0.key` goes with `present.0.key`, `past_0` with
// `present_0`. So a role is found by a part of the name, and shapes and types are the model's own. Stateless,
// thread-safe.
#ifndef BURIN_EXAMPLES_TEXT_GENERATION_DECODER_PORTS_H_
#define BURIN_EXAMPLES_TEXT_GENERATION_DECODER_PORTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "burin/tensor.h"

namespace burin::text_generation {

// Keys or values of one layer: what an inference reads, and what it leaves for the next one.
struct CachePorts {
  Port past;
  Port present;
  int64_t time_axis = 0;  // The axis along which tokens lie.
};

struct DecoderPorts {
  Port tokens;                    // The numbers of the new tokens.
  std::optional<Port> positions;  // Their places in the text, from 0.
  std::optional<Port> mask;       // 1 for each token of the text, the new ones included.
  Port logits;                    // A score for each token of the vocabulary behind each new token, or the last one.
  std::vector<CachePorts> caches;
};

// Returns the roles. Caches are inputs called `past...`, each with an output of the same ending called `present...`,
// and tokens lie along their last axis of unknown size; a name with `position` or `mask` tells those inputs, and what
// is left are tokens and logits. InvalidArgument, naming the port, where a role is missing or taken twice, or where a
// type or shape does not fit it.
absl::StatusOr<DecoderPorts> FindDecoderPorts(const std::vector<Port>& inputs, const std::vector<Port>& outputs);

}  // namespace burin::text_generation

#endif  // BURIN_EXAMPLES_TEXT_GENERATION_DECODER_PORTS_H_

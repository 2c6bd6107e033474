// Generates a text: the token with the largest score is appended again and again.
//
// Stateless; as thread-safe as the decoder that is used.
#ifndef BURIN_EXAMPLES_TEXT_GENERATION_GREEDY_H_
#define BURIN_EXAMPLES_TEXT_GENERATION_GREEDY_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "examples/text_generation/cached_decoder.h"

namespace burin::text_generation {

struct Generated {
  std::vector<int64_t> tokens;  // Without the prompt; the token that ended the text is the last.
  double prompt_seconds = 0;    // Until the first token was known.
  double seconds = 0;           // From then on, for all others.

  // Returns how many tokens came in a second after the first one; 0 where there was none.
  double tokens_per_second() const;
};

// Appends `prompt`, then up to `count` tokens, each of which `each` is told as it is known. A token of `ends` is the
// last one. Errors of CachedDecoder::Append, and whatever error `each` returns.
absl::StatusOr<Generated> GenerateGreedily(CachedDecoder& decoder, const std::vector<int64_t>& prompt, int64_t count,
                                           const std::vector<int64_t>& ends,
                                           const std::function<absl::Status(int64_t token)>& each);

}  // namespace burin::text_generation

#endif  // BURIN_EXAMPLES_TEXT_GENERATION_GREEDY_H_

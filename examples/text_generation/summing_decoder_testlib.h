// A decoder small enough to compute by hand, with positions, mask and a cache of any float type. For tests only.
//
// Of eleven tokens, the one behind a place p has the number (sum of all tokens + 3 p) modulo 11, where the sum is that
// of the cache: so a lost cache, position or mask shows in the next token.
#ifndef BURIN_EXAMPLES_TEXT_GENERATION_SUMMING_DECODER_TESTLIB_H_
#define BURIN_EXAMPLES_TEXT_GENERATION_SUMMING_DECODER_TESTLIB_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "burin/model.h"
#include "burin/tensor.h"

namespace burin::text_generation {

// Returns the model; its cache and scores have that type.
absl::StatusOr<Model> SummingDecoder(ElementType type);

// Returns `count` tokens that it gives behind `prompt`.
std::vector<int64_t> SummedTokens(std::vector<int64_t> prompt, int64_t count);

}  // namespace burin::text_generation

#endif  // BURIN_EXAMPLES_TEXT_GENERATION_SUMMING_DECODER_TESTLIB_H_

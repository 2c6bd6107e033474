// The command line of the example. Stateless, thread-safe.
#ifndef BURIN_EXAMPLES_TEXT_GENERATION_ARGUMENTS_H_
#define BURIN_EXAMPLES_TEXT_GENERATION_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::text_generation {

// What may be said, for messages.
inline constexpr char kUsage[] =
    R"(usage: text_generation -m MODEL.onnx (-tokenizer FILE [-prompt TEXT] | -prompt_ids N,N,...) [options]
  -tokenizer FILE    a vocabulary as llama2.c keeps it; the text is printed
  -prompt TEXT       how the text begins; by default nothing
  -prompt_ids LIST   the tokens with which it begins; tokens are printed, unless there is a tokenizer
  -n COUNT           how many tokens to generate, 200 by default
  -end_ids LIST      the tokens that end the text; by default the vocabulary's, or none
  -d DEVICE          CPU by default
)";

struct Arguments {
  std::string model;
  std::string tokenizer;
  std::string prompt;
  std::vector<int64_t> prompt_ids;
  int64_t count = 200;
  std::vector<int64_t> end_ids;
  std::string device = "CPU";
};

// Reads the words behind the program's name. InvalidArgument for an unknown flag, a missing or malformed value, and for
// words that do not say which model, or how the text begins.
absl::StatusOr<Arguments> ParseArguments(const std::vector<std::string>& words);

// Reads numbers that are not negative, separated by commas or spaces. InvalidArgument for anything else.
absl::StatusOr<std::vector<int64_t>> ParseNumbers(const std::string& text);

}  // namespace burin::text_generation

#endif  // BURIN_EXAMPLES_TEXT_GENERATION_ARGUMENTS_H_

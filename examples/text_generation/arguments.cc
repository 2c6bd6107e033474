#include "examples/text_generation/arguments.h"

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace burin::text_generation {
namespace {

absl::Status SetArgument(const std::string& flag, const std::string& value, Arguments* arguments) {
  if (flag == "-m") {
    arguments->model = value;
  } else if (flag == "-tokenizer") {
    arguments->tokenizer = value;
  } else if (flag == "-prompt") {
    arguments->prompt = value;
  } else if (flag == "-d") {
    arguments->device = value;
  } else if (flag == "-n") {
    if (!absl::SimpleAtoi(value, &arguments->count) || arguments->count < 0) {
      return absl::InvalidArgumentError(absl::StrCat("-n takes a number of tokens, not ", value));
    }
  } else if (flag == "-prompt_ids" || flag == "-end_ids") {
    absl::StatusOr<std::vector<int64_t>> numbers = ParseNumbers(value);
    if (!numbers.ok()) return numbers.status();
    (flag == "-end_ids" ? arguments->end_ids : arguments->prompt_ids) = *std::move(numbers);
  } else {
    return absl::InvalidArgumentError(absl::StrCat("Unknown flag: ", flag));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> ParseNumbers(const std::string& text) {
  std::vector<int64_t> numbers;
  for (const absl::string_view word : absl::StrSplit(text, absl::ByAnyChar(", "), absl::SkipEmpty())) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(word, &number) || number < 0) {
      return absl::InvalidArgumentError(absl::StrCat("Not the number of a token: ", word));
    }
    numbers.push_back(number);
  }
  return numbers;
}

absl::StatusOr<Arguments> ParseArguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return absl::InvalidArgumentError(absl::StrCat("A flag without a value: ", words[i]));
    const absl::Status status = SetArgument(words[i], words[i + 1], &arguments);
    if (!status.ok()) return status;
  }
  if (arguments.model.empty()) return absl::InvalidArgumentError("Which model? -m is missing");
  if (arguments.tokenizer.empty() && arguments.prompt_ids.empty()) {
    return absl::InvalidArgumentError("How does the text begin? -tokenizer or -prompt_ids is missing");
  }
  if (!arguments.prompt.empty() && (arguments.tokenizer.empty() || !arguments.prompt_ids.empty())) {
    return absl::InvalidArgumentError("-prompt goes with -tokenizer, and not with -prompt_ids");
  }
  return arguments;
}

}  // namespace burin::text_generation

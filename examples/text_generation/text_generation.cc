// text_generation: continues a text with a decoder that keeps its caches between inferences.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "burin/core.h"
#include "examples/text_generation/arguments.h"
#include "examples/text_generation/cached_decoder.h"
#include "examples/text_generation/greedy.h"
#include "examples/text_generation/tokenizer.h"

namespace burin::text_generation {
namespace {

// Prints tokens as they come: as text where there is a vocabulary, else as numbers.
class Printer {
 public:
  Printer(const Tokenizer* tokenizer, int64_t previous) : tokenizer_(tokenizer), previous_(previous) {}

  absl::Status Print(int64_t token) {
    if (tokenizer_ == nullptr) {
      std::printf("%lld ", static_cast<long long>(token));
    } else {
      const absl::StatusOr<std::string> piece = tokenizer_->Decode(previous_, token);
      if (!piece.ok()) return piece.status();
      std::fwrite(piece->data(), 1, piece->size(), stdout);
    }
    std::fflush(stdout);
    previous_ = token;
    return absl::OkStatus();
  }

 private:
  const Tokenizer* const tokenizer_;
  int64_t previous_;
};

absl::Status Run(const Arguments& arguments) {
  std::optional<Tokenizer> tokenizer;
  std::vector<int64_t> prompt = arguments.prompt_ids;
  std::vector<int64_t> ends = arguments.end_ids;
  if (!arguments.tokenizer.empty()) {
    absl::StatusOr<Tokenizer> read = Tokenizer::FromFile(arguments.tokenizer);
    if (!read.ok()) return read.status();
    tokenizer = *std::move(read);
    if (prompt.empty()) prompt = tokenizer->Encode(arguments.prompt);
    if (ends.empty()) ends = {Tokenizer::kBeginOfText, Tokenizer::kEndOfText};
  }

  Core core;
  const absl::StatusOr<CompiledModel> compiled = core.CompileModel(arguments.model, arguments.device);
  if (!compiled.ok()) return compiled.status();
  absl::StatusOr<CachedDecoder> decoder = CachedDecoder::Create(*compiled);
  if (!decoder.ok()) return decoder.status();

  std::fputs(arguments.prompt.c_str(), stdout);
  Printer printer(tokenizer.has_value() ? &*tokenizer : nullptr, prompt.back());
  const absl::StatusOr<Generated> generated =
      GenerateGreedily(*decoder, prompt, arguments.count, ends, [&](int64_t token) { return printer.Print(token); });
  std::fputs("\n", stdout);
  if (!generated.ok()) return generated.status();
  std::fprintf(stderr, "%zu tokens of prompt in %.1f ms, then %.1f tokens/s\n", prompt.size(),
               generated->prompt_seconds * 1e3, generated->tokens_per_second());
  return absl::OkStatus();
}

}  // namespace
}  // namespace burin::text_generation

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const absl::StatusOr<burin::text_generation::Arguments> arguments = burin::text_generation::ParseArguments(words);
  if (!arguments.ok()) {
    std::fprintf(stderr, "%s\n%s", arguments.status().ToString().c_str(), burin::text_generation::kUsage);
    return 2;
  }
  const absl::Status status = burin::text_generation::Run(*arguments);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  return 0;
}

#include "examples/text_generation/greedy.h"

#include <algorithm>
#include <chrono>

namespace burin::text_generation {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

double Generated::tokens_per_second() const {
  return tokens.size() > 1 && seconds > 0 ? static_cast<double>(tokens.size() - 1) / seconds : 0;
}

absl::StatusOr<Generated> GenerateGreedily(CachedDecoder& decoder, const std::vector<int64_t>& prompt, int64_t count,
                                           const std::vector<int64_t>& ends,
                                           const std::function<absl::Status(int64_t token)>& each) {
  Generated generated;
  std::vector<int64_t> tokens = prompt;
  Clock::time_point begin = Clock::now();
  for (int64_t i = 0; i < count; ++i) {
    const absl::StatusOr<int64_t> token = decoder.Append(tokens);
    if (!token.ok()) return token.status();
    if (i == 0) {
      generated.prompt_seconds = SecondsSince(begin);
      begin = Clock::now();
    }
    generated.tokens.push_back(*token);
    const absl::Status status = each(*token);
    if (!status.ok()) return status;
    if (std::find(ends.begin(), ends.end(), *token) != ends.end()) break;
    tokens = {*token};
  }
  generated.seconds = SecondsSince(begin);
  return generated;
}

}  // namespace burin::text_generation

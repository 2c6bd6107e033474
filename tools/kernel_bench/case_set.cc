#include "tools/kernel_bench/case_set.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

namespace burin::kernel_bench {
namespace {

constexpr char kRandom[] = "random:";

}  // namespace

absl::StatusOr<CaseSet> CaseSet::Parse(absl::string_view text) {
  const std::vector<std::string>& names = kernel_bench::SetNames();
  CaseSet set;
  absl::string_view rest = text;
  if (absl::ConsumePrefix(&rest, kRandom)) {
    uint32_t seed = 0;
    if (absl::SimpleAtoi(rest, &seed)) {
      set.seed = seed;
      return set;
    }
  } else if (text == "all" || std::find(names.begin(), names.end(), text) != names.end()) {
    set.name = std::string(text);
    return set;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("No such set of cases; there are: ", absl::StrJoin(names, ", "), ", all, random:SEED; got: ", text));
}

const std::vector<std::string>& SetNames() {
  static const auto* const names =
      new std::vector<std::string>{"resnet50", "vgg19", "mobilenet_v2", "yolox", "bert", "vit", "llama", "small"};
  return *names;
}

// The distributions of the standard library differ from library to library.
double SizeDraw::Unit() { return static_cast<double>(random_()) / (static_cast<double>(std::mt19937::max()) + 1); }

int64_t SizeDraw::Choose(int64_t count) { return static_cast<int64_t>(Unit() * static_cast<double>(count)); }

int64_t SizeDraw::Draw(int64_t low, int64_t high, int64_t multiple) {
  const double range = std::log(static_cast<double>(high + 1) / static_cast<double>(low));
  const auto drawn = static_cast<int64_t>(static_cast<double>(low) * std::exp(range * Unit()));
  const int64_t size = std::clamp(drawn, low, high);
  const bool rounds = Choose(4) != 0 && multiple > 1 && size >= multiple;
  return rounds ? size / multiple * multiple : size;
}

}  // namespace burin::kernel_bench

#include "tools/kernel_bench/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace burin::kernel_bench {
namespace {

constexpr int kResamples = 2000;
// Of the resamples beyond either end of the interval.
constexpr double kTail = 0.025;

// How far the interval reaches from 1.
double Distance(const Interval& interval) { return std::max(std::abs(interval.high - 1), std::abs(1 - interval.low)); }

Verdict Judge(const Comparison& comparison) {
  const Interval& interval = comparison.interval;
  if (comparison.samples < Comparison::kLeastSamples) return Verdict::kInconclusive;
  if (interval.high - interval.low > Comparison::kWidest * comparison.ratio) return Verdict::kInconclusive;
  if (interval.low > 1) return Verdict::kFaster;
  if (interval.high < 1) return Verdict::kSlower;
  return Verdict::kEqual;
}

}  // namespace

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Interval BootstrapMedian(absl::Span<const double> values, uint32_t seed) {
  if (values.empty()) return Interval();
  std::mt19937 random(seed);
  std::uniform_int_distribution<size_t> index(0, values.size() - 1);
  std::vector<double> medians(kResamples);
  std::vector<double> drawn(values.size());
  for (double& median : medians) {
    for (double& value : drawn) value = values[index(random)];
    median = Median(drawn);
  }
  std::sort(medians.begin(), medians.end());
  const size_t cut = static_cast<size_t>(kTail * kResamples);
  return {medians[cut], medians[medians.size() - 1 - cut]};
}

Comparison Comparison::OfRatios(absl::Span<const double> ratios) {
  Comparison comparison;
  comparison.samples = static_cast<int>(ratios.size());
  comparison.ratio = Median(std::vector<double>(ratios.begin(), ratios.end()));
  comparison.interval = BootstrapMedian(ratios);
  comparison.verdict = Judge(comparison);
  return comparison;
}

Comparison Comparison::Of(const jit::Samples& first, const jit::Samples& second) {
  std::vector<double> ratios;
  for (size_t round = 0; round < std::min(first.cycles.size(), second.cycles.size()); ++round) {
    const std::optional<double>& a = first.cycles[round];
    const std::optional<double>& b = second.cycles[round];
    if (!a.has_value() || !b.has_value()) continue;
    ratios.push_back((first.units_per_repeat / *a) / (second.units_per_repeat / *b));
  }
  return OfRatios(ratios);
}

std::string Comparison::ToString() const {
  if (samples == 0) return "inconclusive: no round has both";
  std::string text = absl::StrFormat("%.3f [%.3f, %.3f] %s", ratio, interval.low, interval.high, EnumName(verdict));
  if (verdict == Verdict::kEqual) absl::StrAppendFormat(&text, " within %.1f %%", 100 * Distance(interval));
  if (verdict == Verdict::kInconclusive) {
    absl::StrAppend(&text, samples < kLeastSamples ? absl::StrCat(": rounds with both: ", samples)
                                                   : std::string(": the interval is too wide"));
  }
  return text;
}

}  // namespace burin::kernel_bench

// Compares two contenders that were measured in the same rounds, and says what may be concluded.
//
// Use it for every statement that one thing is faster than another: the ratio is the median over the rounds, each of
// which has both, with an interval by bootstrap. Not for best times of different moments. Stateless, thread-safe.
//
// Source: Efron and Tibshirani, "An Introduction to the Bootstrap", chapter 13 (the percentile interval).
#ifndef BURIN_TOOLS_KERNEL_BENCH_COMPARISON_H_
#define BURIN_TOOLS_KERNEL_BENCH_COMPARISON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "base/enum_names.h"
#include "jit/limits/sampler.h"

namespace burin::kernel_bench {

// Holds the ends of an interval.
struct Interval {
  double low = 0;
  double high = 0;
};

// Returns the median, the mean of the middle two of an even number; 0 where there is none.
double Median(std::vector<double> values);

// Returns the 95 % interval of the median: the percentiles of the medians of 2000 samples drawn from `values` with
// replacement. The same for the same values and seed; both ends 0 where there are no values.
Interval BootstrapMedian(absl::Span<const double> values, uint32_t seed = 1);

// Names what a comparison comes to.
enum class Verdict : uint8_t {
  // The interval lies above or below 1.
  kFaster,
  kSlower,
  // The interval has 1 in it.
  kEqual,
  // Fewer than Comparison::kLeastSamples rounds have both, or the interval is wider than Comparison::kWidest.
  kInconclusive,
};

// Holds how many times as fast the first of two contenders is as the second.
struct Comparison {
  static constexpr int kLeastSamples = 5;
  // Of the ratio.
  static constexpr double kWidest = 0.05;

  // 0 where no round has both.
  double ratio = 0;
  Interval interval;
  // Rounds that have both.
  int samples = 0;
  Verdict verdict = Verdict::kInconclusive;

  // Compares the units per cycle of both, round by round.
  static Comparison Of(const jit::Samples& first, const jit::Samples& second);

  // Judges the ratios of single rounds.
  static Comparison OfRatios(absl::Span<const double> ratios);

  // Returns a phrase such as "1.52 [1.50, 1.53] faster", "1.00 [0.99, 1.01] equal within 1.0 %" or "inconclusive".
  std::string ToString() const;
};

}  // namespace burin::kernel_bench

namespace burin {

template <>
struct EnumNames<kernel_bench::Verdict> {
  static constexpr EnumEntry<kernel_bench::Verdict> kEntries[] = {
      {kernel_bench::Verdict::kFaster, "faster"},
      {kernel_bench::Verdict::kSlower, "slower"},
      {kernel_bench::Verdict::kEqual, "equal"},
      {kernel_bench::Verdict::kInconclusive, "inconclusive"},
  };
};

}  // namespace burin

#endif  // BURIN_TOOLS_KERNEL_BENCH_COMPARISON_H_

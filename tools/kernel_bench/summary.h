// Sums up the cases of a run: how each kernel of ours compares with the best other library and with the yardsticks.
//
// Use it behind runs of many cases, such as those of a set. Pure functions of results, hence thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_SUMMARY_H_
#define BURIN_TOOLS_KERNEL_BENCH_SUMMARY_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tools/kernel_bench/measurement.h"

namespace burin::kernel_bench {

// Is the ratio of one case.
struct CaseRatio {
  std::string case_name;
  double ratio = 0;
};

// Holds the ratios of one kernel to one other, over the cases of a family that have both.
struct SummaryLine {
  std::string family;
  // Of our kernel, and of the yardstick, or "best peer": of each case that which is fastest.
  std::string own;
  std::string other;
  // From the worst on.
  std::vector<CaseRatio> ratios;

  double GeometricMean() const;
  // Returns the ratio below which the share `quantile` (0 to 1) of the cases lies, the nearest one.
  double Quantile(double quantile) const;
};

// Returns the lines in the order in which families and kernels come up.
std::vector<SummaryLine> Summarize(absl::Span<const CaseResult> cases);

// Returns a table, with the worst cases of each line; "" where there is no line.
std::string FormatSummary(absl::Span<const SummaryLine> lines);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_SUMMARY_H_

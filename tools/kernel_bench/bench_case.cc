#include "tools/kernel_bench/bench_case.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_format.h"
#include "base/check.h"

namespace burin::kernel_bench {
namespace {

std::string Describe(size_t index, double result, double expected) {
  return absl::StrFormat("element %d is %.9g instead of %.9g", index, result, expected);
}

}  // namespace

template <class Value>
Accuracy CompareResults(absl::Span<const Value> results, absl::Span<const double> reference, double tolerance) {
  BURIN_CHECK(results.size() == reference.size()) << "results: " << results.size();
  Accuracy accuracy;
  for (size_t i = 0; i < results.size(); ++i) {
    const double result = static_cast<double>(results[i]);
    const double expected = reference[i];
    if (result == expected || (std::isnan(result) && std::isnan(expected))) continue;
    const double error = std::abs(result - expected);
    const bool finite = std::isfinite(error);
    if (!finite || error > tolerance * std::max(1.0, std::abs(expected))) {
      if (accuracy.right) accuracy.note = Describe(i, result, expected);
      accuracy.right = false;
    }
    if (!finite) continue;
    accuracy.max_absolute = std::max(accuracy.max_absolute, error);
    if (expected != 0) accuracy.max_relative = std::max(accuracy.max_relative, error / std::abs(expected));
  }
  return accuracy;
}

template Accuracy CompareResults(absl::Span<const float>, absl::Span<const double>, double);
template Accuracy CompareResults(absl::Span<const int32_t>, absl::Span<const double>, double);

}  // namespace burin::kernel_bench

#include "tools/kernel_bench/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/kernel_bench/bench_case.h"

namespace burin::kernel_bench {
namespace {

constexpr char kBestPeer[] = "best peer";

constexpr size_t kWorst = 5;

SummaryLine& LineOf(const std::string& family, const std::string& own, const std::string& other,
                    std::vector<SummaryLine>& lines) {
  for (SummaryLine& line : lines) {
    if (line.family == family && line.own == own && line.other == other) return line;
  }
  lines.push_back({family, own, other, {}});
  return lines.back();
}

}  // namespace

double SummaryLine::GeometricMean() const {
  double sum = 0;
  for (const CaseRatio& one : ratios) sum += std::log(one.ratio);
  return ratios.empty() ? 0 : std::exp(sum / static_cast<double>(ratios.size()));
}

double SummaryLine::Quantile(double quantile) const {
  if (ratios.empty()) return 0;
  return ratios[static_cast<size_t>(std::lround(quantile * static_cast<double>(ratios.size() - 1)))].ratio;
}

std::vector<SummaryLine> Summarize(absl::Span<const CaseResult> cases) {
  std::vector<SummaryLine> lines;
  for (const CaseResult& result : cases) {
    for (const EntrantResult& entrant : result.entrants) {
      if (entrant.role != Role::kOwn) continue;
      for (const Share& share : entrant.shares) {
        if (share.comparison.ratio <= 0) continue;
        LineOf(result.family, entrant.name, share.yardstick, lines)
            .ratios.push_back({result.name, share.comparison.ratio});
      }
    }
    std::map<size_t, double> least;
    for (const Pair& pair : result.pairs) {
      if (result.entrants[pair.second].role != Role::kPeer || pair.comparison.ratio <= 0) continue;
      const auto [at, is_new] = least.emplace(pair.first, pair.comparison.ratio);
      if (!is_new) at->second = std::min(at->second, pair.comparison.ratio);
    }
    for (const auto& [entrant, ratio] : least) {
      LineOf(result.family, result.entrants[entrant].name, kBestPeer, lines).ratios.push_back({result.name, ratio});
    }
  }
  for (SummaryLine& line : lines) {
    std::stable_sort(line.ratios.begin(), line.ratios.end(),
                     [](const CaseRatio& a, const CaseRatio& b) { return a.ratio < b.ratio; });
  }
  return lines;
}

std::string FormatSummary(absl::Span<const SummaryLine> lines) {
  std::string text;
  for (const SummaryLine& line : lines) {
    absl::StrAppendFormat(
        &text, "%s, %s against %s: cases %d, geometric mean %.3f, median %.3f, tenth %.3f; worst:", line.family,
        line.own, line.other, line.ratios.size(), line.GeometricMean(), line.Quantile(0.5), line.Quantile(0.1));
    for (size_t i = 0; i < std::min(kWorst, line.ratios.size()); ++i) {
      absl::StrAppendFormat(&text, "%s %s %.3f", i == 0 ? "" : ",", line.ratios[i].case_name, line.ratios[i].ratio);
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace burin::kernel_bench

#include "tools/kernel_bench/limits_report.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "tools/kernel_bench/machine.h"

namespace burin::kernel_bench {
namespace {

bool IsRead(jit::Limit limit) { return limit >= jit::Limit::kReadL1; }

absl::string_view UnitOf(jit::Limit limit) {
  if (IsRead(limit)) return "bytes/cycle";
  return limit == jit::Limit::kFmaLatency ? "cycles" : "instructions/cycle";
}

std::string Row(jit::Limit limit, const jit::MeasuredLimit& measured, double clock_ghz) {
  std::string per_second;
  if (IsRead(limit)) per_second = absl::StrFormat("%.1f GB/s", measured.value * clock_ghz);
  return absl::StrFormat("%-16s %8.2f %8.2f %8.2f  %-18s %12s  %d / %d\n", EnumName(limit), measured.value,
                         measured.median, measured.slow, UnitOf(limit), per_second, measured.accepted,
                         measured.rejected);
}

std::string PairLines(absl::string_view when, const std::vector<jit::CoreSharing>& pairs) {
  if (pairs.empty()) return absl::StrCat(when, ": one processor alone, no pairs\n");
  std::string text;
  for (const jit::CoreSharing& pair : pairs) absl::StrAppend(&text, when, ": ", pair.ToString(), "\n");
  return text;
}

}  // namespace

absl::StatusOr<LimitsReport> LimitsReport::Measure(const jit::Target& target, absl::Span<const int> cpus,
                                                   const jit::SamplerOptions& options,
                                                   const jit::Instruments& instruments) {
  LimitsReport report;
  BURIN_ASSIGN_OR_RETURN(report.pairs_before, MeasurePairs(target.isa(), cpus));
  BURIN_ASSIGN_OR_RETURN(report.limits, jit::MachineLimits::Measure(target, options, instruments));
  BURIN_ASSIGN_OR_RETURN(report.pairs_after, MeasurePairs(target.isa(), cpus));
  report.measured_parameters = report.limits.Apply(target.microarch()).ToString();
  return report;
}

std::string LimitsReport::ToString() const {
  std::string text = PairLines("before", pairs_before);
  absl::StrAppendFormat(&text, "one core at %.2f GHz\n%-16s %8s %8s %8s  %-18s %12s  %s\n", limits.clock_ghz, "limit",
                        "value", "median", "slow", "", "", "accepted / rejected");
  for (const auto& [limit, measured] : limits.limits) {
    absl::StrAppend(&text, Row(limit, measured, limits.clock_ghz));
  }
  absl::StrAppend(&text, "measured as ", measured_parameters, "\n", PairLines("after", pairs_after));
  return text;
}

std::string PeakLine(const jit::MachineLimits& limits) {
  std::string text;
  for (const jit::Limit limit : {jit::Limit::kFma512, jit::Limit::kFma256}) {
    const auto found = limits.limits.find(limit);
    if (found == limits.limits.end()) continue;
    text = absl::StrFormat("%s %.2f instructions/cycle", EnumName(limit), found->second.value);
    break;
  }
  const auto dram = limits.limits.find(jit::Limit::kReadDram);
  if (dram != limits.limits.end()) {
    absl::StrAppendFormat(&text, "%s%s %.2f bytes/cycle (%.1f GB/s)", text.empty() ? "" : ", ", EnumName(dram->first),
                          dram->second.value, dram->second.value * limits.clock_ghz);
  }
  return text.empty() ? "not measured: the machine was disturbed throughout" : text;
}

}  // namespace burin::kernel_bench

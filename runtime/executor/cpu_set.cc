#include "runtime/executor/cpu_set.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace burin::executor {
namespace {

// Reads one CPU's number. SimpleAtoi alone also takes signs and spaces.
std::optional<int> ParseCpu(absl::string_view text) {
  int cpu = 0;
  if (text.empty() || !std::all_of(text.begin(), text.end(), absl::ascii_isdigit)) return std::nullopt;
  if (!absl::SimpleAtoi(text, &cpu) || cpu >= CpuSet::kMaxCpus) return std::nullopt;
  return cpu;
}

}  // namespace

CpuSet::CpuSet(std::vector<int> cpus) : cpus_(std::move(cpus)) {
  cpus_.erase(std::remove_if(cpus_.begin(), cpus_.end(), [](int cpu) { return cpu < 0 || cpu >= kMaxCpus; }),
              cpus_.end());
  std::sort(cpus_.begin(), cpus_.end());
  cpus_.erase(std::unique(cpus_.begin(), cpus_.end()), cpus_.end());
}

CpuSet CpuSet::FirstCpus(int count) {
  std::vector<int> cpus(static_cast<size_t>(std::clamp(count, 0, kMaxCpus)));
  std::iota(cpus.begin(), cpus.end(), 0);
  return CpuSet(std::move(cpus));
}

std::optional<CpuSet> CpuSet::ParseList(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  // Enough for every second CPU; repeated ranges in a longer text would cost time without end.
  constexpr size_t kMaxRanges = kMaxCpus / 2;
  std::vector<int> cpus;
  if (text.empty()) return CpuSet();
  const std::vector<absl::string_view> ranges = absl::StrSplit(text, ',');
  if (ranges.size() > kMaxRanges) return std::nullopt;
  for (absl::string_view range : ranges) {
    const std::pair<absl::string_view, absl::string_view> ends = absl::StrSplit(range, absl::MaxSplits('-', 1));
    const std::optional<int> first = ParseCpu(ends.first);
    const std::optional<int> last = ends.second.empty() && range == ends.first ? first : ParseCpu(ends.second);
    if (!first.has_value() || !last.has_value() || *first > *last) return std::nullopt;
    if (cpus.size() + static_cast<size_t>(*last - *first + 1) > 2 * static_cast<size_t>(kMaxCpus)) return std::nullopt;
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  return CpuSet(std::move(cpus));
}

bool CpuSet::Contains(int cpu) const { return std::binary_search(cpus_.begin(), cpus_.end(), cpu); }

bool CpuSet::IsSubsetOf(const CpuSet& other) const {
  return std::includes(other.cpus_.begin(), other.cpus_.end(), cpus_.begin(), cpus_.end());
}

CpuSet CpuSet::Intersection(const CpuSet& other) const {
  CpuSet result;
  std::set_intersection(cpus_.begin(), cpus_.end(), other.cpus_.begin(), other.cpus_.end(),
                        std::back_inserter(result.cpus_));
  return result;
}

CpuSet CpuSet::Difference(const CpuSet& other) const {
  CpuSet result;
  std::set_difference(cpus_.begin(), cpus_.end(), other.cpus_.begin(), other.cpus_.end(),
                      std::back_inserter(result.cpus_));
  return result;
}

std::string CpuSet::ToString() const {
  std::string text;
  for (size_t i = 0; i < cpus_.size();) {
    size_t end = i + 1;
    while (end < cpus_.size() && cpus_[end] == cpus_[end - 1] + 1) ++end;
    absl::StrAppend(&text, text.empty() ? "" : ",", cpus_[i]);
    if (end > i + 1) absl::StrAppend(&text, "-", cpus_[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace burin::executor

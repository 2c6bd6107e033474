#include "tools/kernel_bench/report.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"

namespace burin::kernel_bench {
namespace {

using Row = std::vector<std::string>;

// Lines the cells up: the first column to the left, the rest to the right.
std::string FormatRows(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    absl::StrAppendFormat(&text, "  %-*s", static_cast<int>(widths[0]), row[0]);
    for (size_t i = 1; i < row.size(); ++i) absl::StrAppendFormat(&text, "  %*s", static_cast<int>(widths[i]), row[i]);
    absl::StrAppend(&text, "\n");
  }
  return text;
}

Row Header(const CaseResult& result) {
  Row row = {"contender", "median us", "min us", absl::StrCat(result.unit, "/cycle"), "accepted", "rejected"};
  for (const EntrantResult& entrant : result.entrants) {
    if (entrant.role == Role::kYardstick) row.push_back(absl::StrCat("of ", entrant.name));
  }
  row.push_back("abs. error");
  row.push_back("rel. error");
  return row;
}

// The share, or "-" of what was not measured beside the yardstick.
std::string ShareCell(const EntrantResult& entrant, absl::string_view yardstick) {
  for (const Share& share : entrant.shares) {
    if (share.yardstick == yardstick && share.comparison.samples > 0) {
      return absl::StrFormat("%.1f %%", 100 * share.comparison.ratio);
    }
  }
  return "-";
}

Row EntrantRow(const CaseResult& result, const EntrantResult& entrant) {
  Row row = {entrant.name};
  if (entrant.measured()) {
    row.push_back(absl::StrFormat("%.3f", 1e6 * entrant.MedianSeconds()));
    row.push_back(absl::StrFormat("%.3f", 1e6 * entrant.MinSeconds()));
    row.push_back(absl::StrFormat("%.3f", entrant.UnitsPerCycle()));
  } else {
    row.insert(row.end(), 3, "-");
  }
  row.push_back(absl::StrCat(entrant.samples.accepted()));
  row.push_back(absl::StrCat(entrant.samples.rejected));
  for (const EntrantResult& yardstick : result.entrants) {
    if (yardstick.role == Role::kYardstick) row.push_back(ShareCell(entrant, yardstick.name));
  }
  if (entrant.accuracy.has_value()) {
    row.push_back(absl::StrFormat("%.2g", entrant.accuracy->max_absolute));
    row.push_back(absl::StrFormat("%.2g", entrant.accuracy->max_relative));
  } else {
    row.insert(row.end(), 2, "-");
  }
  return row;
}

// What the entrant is, in a line below the table.
std::string Describe(const EntrantResult& entrant) {
  std::string text = absl::StrCat("  ", entrant.name, ": ", EnumName(entrant.role));
  if (!entrant.implementation.empty()) absl::StrAppend(&text, ", ", entrant.implementation);
  if (!entrant.timed.empty()) absl::StrAppend(&text, "; timed: ", entrant.timed);
  if (entrant.accuracy.has_value() && !entrant.accuracy->right) {
    absl::StrAppend(&text, "; VOID, the result is wrong: ", entrant.accuracy->note);
  }
  return absl::StrCat(text, "\n");
}

}  // namespace

std::string FormatCase(const CaseResult& result) {
  std::string text =
      absl::StrCat(result.family, "/", result.name, ": unit: ", result.unit, "; buffers: ", result.buffers, "\n");
  std::vector<Row> rows = {Header(result)};
  for (const EntrantResult& entrant : result.entrants) rows.push_back(EntrantRow(result, entrant));
  absl::StrAppend(&text, FormatRows(rows));
  for (const EntrantResult& entrant : result.entrants) absl::StrAppend(&text, Describe(entrant));
  for (const Pair& pair : result.pairs) {
    absl::StrAppend(&text, "  ", result.entrants[pair.first].name, " against ", result.entrants[pair.second].name, ": ",
                    pair.comparison.ToString(), "\n");
  }
  for (const SharedResult& shared : result.shared) {
    absl::StrAppendFormat(&text, "  %s by %d threads: %.3f us instead of %.3f us, gain %s\n", shared.name,
                          shared.run.threads, 1e6 * shared.run.shared_seconds, 1e6 * shared.run.alone_seconds,
                          shared.run.gain.ToString());
  }
  return text;
}

}  // namespace burin::kernel_bench

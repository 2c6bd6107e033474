#include "jit/debug/cycle_counters.h"

#include <x86intrin.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/logging.h"

namespace burin::jit {
namespace {

struct Row {
  uint64_t ticks;
  uint64_t entries;
  const CycleTable* table;
  size_t part;
};

uint64_t Now() {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

// Returns the fewest ticks between two reads of the counter with nothing between them.
uint64_t TicksOfAnEmptyPart() {
  constexpr int kTries = 1000;
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (int i = 0; i < kTries; ++i) {
    const uint64_t begin = Now();
    least = std::min(least, Now() - begin);
  }
  return least;
}

void PrintReport() { std::fputs(CycleCounters::Process().Report().c_str(), stderr); }

bool IsAsked() {
  const char* const value = std::getenv("BURIN_COUNT_CYCLES");
  if (value == nullptr || *value == '\0') return false;
  const absl::string_view text = value;
  if (text != "0" && text != "1") BURIN_LOG(kWarning) << "BURIN_COUNT_CYCLES is neither 0 nor 1: " << value;
  return text == "1";
}

}  // namespace

CycleCounters& CycleCounters::Process() {
  static CycleCounters& counters = *new CycleCounters();
  return counters;
}

CycleTable& CycleCounters::Table(absl::string_view kernel, std::vector<std::string> parts) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [it, is_new] = by_content_.try_emplace({std::string(kernel), std::move(parts)}, nullptr);
  if (is_new) it->second = &tables_.emplace_back(it->first.first, it->first.second);
  return *it->second;
}

void CycleCounters::Reset() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (CycleTable& table : tables_) {
    for (size_t part = 0; part < table.parts().size(); ++part) {
      table.counts()[part].ticks.store(0, std::memory_order_relaxed);
      table.counts()[part].entries.store(0, std::memory_order_relaxed);
    }
  }
}

std::string CycleCounters::Report() const {
  std::vector<Row> rows;
  uint64_t all = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const CycleTable& table : tables_) {
      for (size_t part = 0; part < table.parts().size(); ++part) {
        const CycleCount& count = table.count(part);
        rows.push_back(
            {count.ticks.load(std::memory_order_relaxed), count.entries.load(std::memory_order_relaxed), &table, part});
        all += rows.back().ticks;
        if (rows.back().entries == 0) rows.pop_back();
      }
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.ticks > b.ticks; });
  std::string text = absl::StrCat("Ticks of the parts of kernels; an empty part takes ", TicksOfAnEmptyPart(), "\n");
  absl::StrAppendFormat(&text, "%15s %6s %12s %12s  %s\n", "ticks", "share", "entries", "ticks/entry", "kernel: part");
  for (const Row& row : rows) {
    absl::StrAppendFormat(&text, "%15d %5.1f%% %12d %12.1f  %s: %s\n", row.ticks,
                          100.0 * static_cast<double>(row.ticks) / static_cast<double>(std::max<uint64_t>(all, 1)),
                          row.entries, static_cast<double>(row.ticks) / static_cast<double>(row.entries),
                          row.table->kernel(), row.table->parts()[row.part]);
  }
  return text;
}

bool CountCyclesAsked() {
  static const bool asked = IsAsked() && std::atexit(&PrintReport) == 0;
  return asked;
}

}  // namespace burin::jit

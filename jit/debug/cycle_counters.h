// Keeps what the parts of kernels cost, which kernels that are generated with counters add up.
//
// Use it to find the expression that a kernel's time goes into: jit/debug/cycle_count_emitter.h emits the counting,
// this holds the counters and prints them. Not for comparing kernels: counting keeps parts from overlapping and costs
// some tens of ticks each time, so that a kernel is slower with than without; time it without. A tick is one of the
// time stamp counter, whose rate is the processor's nominal one. Tables are never destroyed, as code that counts may
// run as long as the process. All functions may be called from any thread, while kernels count.
//
// BURIN_COUNT_CYCLES = 1 in the environment, read once, asks whoever generates kernels to do so with counters
// (CountCyclesAsked()); the report goes to stderr as the process exits.
#ifndef BURIN_JIT_DEBUG_CYCLE_COUNTERS_H_
#define BURIN_JIT_DEBUG_CYCLE_COUNTERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace burin::jit {

// Is what one part of a kernel has cost so far, in all threads. Generated code adds to it.
struct CycleCount {
  std::atomic<uint64_t> ticks{0};
  std::atomic<uint64_t> entries{0};
};
static_assert(sizeof(CycleCount) == 16 && sizeof(std::atomic<uint64_t>) == 8, "generated code knows the layout");

// Holds the counters of one kernel.
class CycleTable {
 public:
  CycleTable(std::string kernel, std::vector<std::string> parts)
      : kernel_(std::move(kernel)), parts_(std::move(parts)), counts_(parts_.size()) {}

  // Returns the kernel's name.
  const std::string& kernel() const { return kernel_; }

  // Returns what each part is, in a line.
  const std::vector<std::string>& parts() const { return parts_; }

  // Returns the counters, one a part: what code that counts is given the address of.
  CycleCount* counts() { return counts_.data(); }
  const CycleCount& count(size_t part) const { return counts_[part]; }

 private:
  const std::string kernel_;
  const std::vector<std::string> parts_;
  std::vector<CycleCount> counts_;
};

// Holds the tables. One per process is enough; a test makes its own.
class CycleCounters {
 public:
  // Returns the one that is reported at the process's exit. It is never destroyed.
  static CycleCounters& Process();

  CycleCounters() = default;
  CycleCounters(const CycleCounters&) = delete;
  CycleCounters& operator=(const CycleCounters&) = delete;

  // Returns the table of the kernel of that name and those parts, making it where there is none: all copies of a kernel
  // add to one. It lives as long as this object.
  CycleTable& Table(absl::string_view kernel, std::vector<std::string> parts);

  // Sets all counters to 0.
  void Reset();

  // Returns a line for each part that was entered, the most ticks first: ticks, share of all ticks, entries, ticks per
  // entry, kernel and part. A part within another counts in both. What an empty part takes stands above.
  std::string Report() const;

 private:
  mutable std::mutex mutex_;
  // Does not move what it holds.
  std::deque<CycleTable> tables_;
  std::map<std::pair<std::string, std::vector<std::string>>, CycleTable*> by_content_;
};

// Returns whether the environment asks for counting; the first call that answers yes arranges for the report.
bool CountCyclesAsked();

}  // namespace burin::jit

#endif  // BURIN_JIT_DEBUG_CYCLE_COUNTERS_H_

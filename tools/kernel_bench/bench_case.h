// Describes one thing that is benchmarked: the work, and everything that does it side by side.
//
// A family (tools/kernel_bench/family.h) makes cases, MeasureCase() runs them. What an entrant needs is kept alive by
// its functions. Values, used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_BENCH_CASE_H_
#define BURIN_TOOLS_KERNEL_BENCH_BENCH_CASE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "base/enum_names.h"

namespace burin::kernel_bench {

// Names what an entrant is there for.
enum class Role : uint8_t {
  // A kernel of this project.
  kOwn,
  // A loop that shows what the core or its memory can do at best.
  kYardstick,
  // Another library.
  kPeer,
  // A kernel of this project with a plan that was not chosen.
  kCandidate,
};

// Holds how far results are from the reference.
struct Accuracy {
  double max_absolute = 0;
  // Over results whose reference is not 0.
  double max_relative = 0;
  // Whether the results are within what the case allows; what is not is not measured.
  bool right = true;
  // Where the worst result is, or why it is wrong; may be "".
  std::string note;
};

// Compares results with a reference in double. A result is right within `tolerance` x max(1, |reference|); NaN only
// where the reference is NaN, and likewise an infinity. `Value` is the type of the results: float or an integer.
template <class Value>
Accuracy CompareResults(absl::Span<const Value> results, absl::Span<const double> reference, double tolerance);

// Takes part in a case.
struct Entrant {
  Role role = Role::kOwn;
  std::string name;
  // How it does it: the kernel's name and width, the library's implementation and version.
  std::string implementation;
  // What is inside the timed region besides the work itself, or that nothing is.
  std::string timed;
  // In the case's unit.
  double units_per_repeat = 1;
  // What one repeat reads and writes.
  int64_t bytes_per_repeat = 0;
  // Does the work `repeats` > 0 times.
  std::function<void(int64_t repeats)> run;
  // Does the work once and compares the result; empty for a yardstick.
  std::function<Accuracy()> check;
  // Of work that threads can share: the number of items, and what computes some of them, from `begin` up to `end`, by
  // the thread of that number (CaseOptions::threads). 0 and empty for all else.
  int64_t items = 0;
  std::function<void(int thread, int64_t begin, int64_t end)> run_items;
};

// Is the work and who does it. Entrants come back in this order.
struct BenchCase {
  std::string family;
  std::string name;
  // What is counted, such as "elements".
  std::string unit;
  // What all entrants share: the buffers' size, alignment and number.
  std::string buffers;
  std::vector<Entrant> entrants;
};

}  // namespace burin::kernel_bench

namespace burin {

template <>
struct EnumNames<kernel_bench::Role> {
  static constexpr EnumEntry<kernel_bench::Role> kEntries[] = {
      {kernel_bench::Role::kOwn, "own"},
      {kernel_bench::Role::kYardstick, "yardstick"},
      {kernel_bench::Role::kPeer, "peer"},
      {kernel_bench::Role::kCandidate, "candidate"},
  };
};

}  // namespace burin

#endif  // BURIN_TOOLS_KERNEL_BENCH_BENCH_CASE_H_

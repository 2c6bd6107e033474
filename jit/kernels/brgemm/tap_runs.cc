#include "jit/kernels/brgemm/tap_runs.h"

#include <cstddef>

namespace burin::jit {
namespace {

// Returns whether `tap` goes on the run.
bool Continues(const TapRun& run, const BrgemmTap& tap) {
  return tap.rows == run.first.rows && tap.depth == run.first.depth &&
         tap.a_offset == run.first.a_offset + run.count * run.a_distance &&
         tap.b_offset == run.first.b_offset + run.count * run.b_distance;
}

}  // namespace

std::vector<TapRun> FindTapRuns(absl::Span<const BrgemmTap> taps, int least) {
  std::vector<TapRun> runs;
  size_t i = 0;
  while (i < taps.size()) {
    TapRun run{taps[i]};
    if (i + 1 < taps.size()) {
      run.a_distance = taps[i + 1].a_offset - taps[i].a_offset;
      run.b_distance = taps[i + 1].b_offset - taps[i].b_offset;
    }
    while (i + static_cast<size_t>(run.count) < taps.size() &&
           Continues(run, taps[i + static_cast<size_t>(run.count)])) {
      ++run.count;
    }
    if (run.count < least) run = TapRun{taps[i]};
    i += static_cast<size_t>(run.count);
    runs.push_back(run);
  }
  return runs;
}

}  // namespace burin::jit

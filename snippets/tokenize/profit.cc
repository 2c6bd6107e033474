#include "snippets/tokenize/profit.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "absl/strings/str_format.h"

namespace burin::snippets {
namespace {

using Machine = NominalMachine;

// Of an element in a buffer or register.
constexpr double kElementBytes = 4;

bool HasAxis(AxisMask axes, size_t axis) { return (axes >> axis & 1) != 0; }

// Returns how often what varies along `work` alone runs in a kernel that is cut along the axes outside of it: in each
// item again. What varies along the outermost axes alone runs once for each of them, in front of the inner loops.
double RepetitionsOf(absl::Span<const SpaceAxis> axes, AxisMask work) {
  int innermost = std::numeric_limits<int>::max();
  for (size_t i = 0; i < axes.size(); ++i) {
    if (HasAxis(work, i)) innermost = std::min(innermost, axes[i].depth);
  }
  double repetitions = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    const bool is_outside = work != 0 && !HasAxis(work, i) && !axes[i].is_reduced && axes[i].depth > innermost;
    if (is_outside) repetitions *= std::max(1.0, axes[i].extent);
  }
  return std::min(repetitions, Machine::kMaxItems);
}

}  // namespace

double KernelCost::Time() const { return cycles / std::clamp(parallel, 1.0, Machine::kCores) + Machine::kStartCycles; }

KernelCost CostOfKernel(absl::Span<const SpaceAxis> axes, absl::Span<const SpaceWork> work,
                        absl::Span<const StoredValue> stored, double bytes) {
  KernelCost cost;
  for (const SpaceAxis& axis : axes) {
    if (!axis.is_reduced) cost.parallel *= std::max(1.0, axis.extent);
  }
  constexpr double kElementsPerCycle = Machine::kLanes * Machine::kInstructionsPerCycle;
  for (const SpaceWork& part : work) {
    double elements = 1;
    double reduced = 1;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (!HasAxis(part.axes, i)) continue;
      elements *= axes[i].extent;
      if (axes[i].is_reduced) reduced *= axes[i].extent;
    }
    cost.cycles += (part.cheap + part.dear + part.reducing) * elements / kElementsPerCycle;
    // What is cheap is repeated where it is read, in place of a load.
    cost.repeated_cycles +=
        (part.dear + part.reducing) * elements * (RepetitionsOf(axes, part.axes) - 1) / kElementsPerCycle;
    cost.instructions += part.cheap + part.dear + part.reducing;
    // What is dear and varies along an axis that is reduced may be read on both sides of the reduction.
    if (part.dear > 0 && reduced > 1) cost.buffer_bytes = std::max(cost.buffer_bytes, reduced * kElementBytes);
  }
  for (const StoredValue& value : stored) {
    cost.repeated_cycles += value.bytes * (RepetitionsOf(axes, value.axes) - 1) / Machine::kBytesPerCycle;
  }
  cost.cycles += cost.repeated_cycles + bytes / Machine::kBytesPerCycle;
  return cost;
}

std::optional<std::pair<FusionReason, std::string>> WhyNoProfit(const KernelCost& first, const KernelCost& second,
                                                                const KernelCost& together, bool has_dense_anchor) {
  const double most = has_dense_anchor ? Machine::kMaxEpilogueInstructions : Machine::kMaxInstructions;
  if (together.instructions > most) {
    return std::make_pair(FusionReason::kCodeSize,
                          absl::StrFormat("%.0f vector instructions, more than %.0f", together.instructions, most));
  }
  const double largest = std::max(first.buffer_bytes, second.buffer_bytes);
  if (together.buffer_bytes > Machine::kMaxBufferBytes && together.buffer_bytes > largest) {
    return std::make_pair(FusionReason::kBuffer,
                          absl::StrFormat("An item of work would keep %.0f bytes between loops, more than %.0f",
                                          together.buffer_bytes, Machine::kMaxBufferBytes));
  }
  const double apart = first.Time() + second.Time();
  if (together.Time() <= apart) return std::nullopt;
  const double times[] = {together.Time(), apart};
  const double repeated = together.repeated_cycles - first.repeated_cycles - second.repeated_cycles;
  const double parallel = std::min(together.parallel, Machine::kCores);
  // Were it shared as well as both are, would the repetition alone make it slower?
  const bool is_shared = parallel >= std::min({first.parallel, second.parallel, Machine::kCores}) &&
                         parallel >= std::min(std::max(first.parallel, second.parallel), Machine::kCores);
  if (repeated > 0 && is_shared) {
    return std::make_pair(FusionReason::kRecompute,
                          absl::StrFormat("%.0f cycles of repeated work: together %.0f cycles, apart %.0f", repeated,
                                          times[0], times[1]));
  }
  return std::make_pair(FusionReason::kParallelism,
                        absl::StrFormat("%.0f items of work to share instead of %.0f and %.0f: together %.0f cycles, "
                                        "apart %.0f",
                                        together.parallel, first.parallel, second.parallel, times[0], times[1]));
}

}  // namespace burin::snippets

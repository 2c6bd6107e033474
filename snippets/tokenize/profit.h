// Reckons whether two groups of operations are faster as one kernel than as two.
//
// Use it when a join is legal. The figures are of a nominal machine, never of the one at hand: what is fused, and with
// it the rounding of results, depends neither on the machine nor on the number of threads. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_PROFIT_H_
#define BURIN_SNIPPETS_TOKENIZE_PROFIT_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "snippets/tokenize/body_space.h"
#include "snippets/tokenize/fusion_report.h"

namespace burin::snippets {

// Is what a kernel costs.
struct KernelCost {
  // Of the whole kernel on one core: arithmetic, memory, and what is computed or written more than once.
  double cycles = 0;
  double repeated_cycles = 0;
  // Items of work that threads may share.
  double parallel = 1;
  // What an item keeps between loops.
  double buffer_bytes = 0;
  // Vector instructions of its operations.
  double instructions = 0;

  // Returns the time on the cores of the nominal machine, the start of the kernel included.
  double Time() const;
};

// The nominal machine, and what a kernel may be there. A vector holds 16 elements of 32 bits; two vector instructions
// issue in a cycle; memory means the second-level cache or what lies behind it, 32 bytes a cycle and core.
struct NominalMachine {
  static constexpr double kLanes = 16;
  static constexpr double kInstructionsPerCycle = 2;
  static constexpr double kBytesPerCycle = 32;
  static constexpr double kCores = 8;
  // Starting a kernel costs about half a microsecond.
  static constexpr double kStartCycles = 2000;
  // A kernel is cut into at most about so many items, in each of which everything outside of its axes runs again.
  static constexpr double kMaxItems = 256;
  // Half of a second-level cache of 1 MiB: the other half is for inputs and outputs.
  static constexpr double kMaxBufferBytes = 512 * 1024;
  // In a main loop of 6 vectors these come to some 200 KiB of code: more would not stay in the second-level cache.
  static constexpr double kMaxInstructions = 4096;
  // The epilogue of a dense kernel is emitted for tiles of some 28 vectors instead.
  static constexpr double kMaxEpilogueInstructions = 1024;
};

// Is a value that a kernel writes.
struct StoredValue {
  AxisMask axes = 0;
  double bytes = 0;
};

// Returns the cost of a kernel over these axes that reads and writes `bytes` in all, where each value is written once,
// the values of `stored` among them.
KernelCost CostOfKernel(absl::Span<const SpaceAxis> axes, absl::Span<const SpaceWork> work,
                        absl::Span<const StoredValue> stored, double bytes);

// Returns why `together` is worse than `first` and `second`, or nullopt where it is not. Where one has a dense anchor,
// whose own work is in no cost, the operations are its epilogue's.
std::optional<std::pair<FusionReason, std::string>> WhyNoProfit(const KernelCost& first, const KernelCost& second,
                                                                const KernelCost& together,
                                                                bool has_dense_anchor = false);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_PROFIT_H_

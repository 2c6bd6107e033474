// Names a set of cases across the families: the layers of a model, or sizes drawn at random.
//
// Use it to ask families for the cases of a set (tools/kernel_bench/family.h) and to draw sizes. Values and pure
// functions, hence thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_CASE_SET_H_
#define BURIN_TOOLS_KERNEL_BENCH_CASE_SET_H_

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin::kernel_bench {

// Is the name of a set, or the seed of one that is drawn.
struct CaseSet {
  // The shapes of each family in a set that is drawn.
  static constexpr int kDrawn = 200;

  // The most multiply-adds of one that is drawn: some milliseconds' work, so that a set takes minutes.
  static constexpr int64_t kMostDrawn = int64_t{1} << 29;

  // One of SetNames(); "" where shapes are drawn.
  std::string name;
  std::optional<uint32_t> seed;

  // Reads a name of SetNames(), or "random:SEED". InvalidArgument, listing what there is, for any other.
  static absl::StatusOr<CaseSet> Parse(absl::string_view text);
};

// Returns the names of the sets that are listed. "all" is not among them: it is all of them.
const std::vector<std::string>& SetNames();

// Draws sizes whose logarithms are evenly distributed, the same ones for the same seed everywhere.
class SizeDraw {
 public:
  explicit SizeDraw(uint32_t seed) : random_(seed) {}

  // Returns a size from `low` >= 1 to `high`. Of those of at least `multiple`, three in four are multiples of it.
  int64_t Draw(int64_t low, int64_t high, int64_t multiple = 1);

  // Returns one of the numbers from 0 up to `count`.
  int64_t Choose(int64_t count);

 private:
  double Unit();

  std::mt19937 random_;
};

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_CASE_SET_H_

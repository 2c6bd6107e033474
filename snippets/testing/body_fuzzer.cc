#include "snippets/testing/body_fuzzer.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

#include "absl/types/span.h"
#include "snippets/testing/body_draft.h"
#include "snippets/testing/drawn_elementwise.h"
#include "snippets/testing/drawn_reductions.h"

namespace burin::snippets {
namespace {

// Values that nothing in the body reads become results.
constexpr size_t kMostLoose = 4;
// Of a space; the reference evaluation is slow.
constexpr int64_t kMostElements = 1500;

// About the widths of vectors, 8 and 16, and twice that; three vectors and a tail.
constexpr int64_t kWide[] = {1, 2, 5, 7, 8, 9, 15, 16, 17, 29, 31, 32, 33, 53, 96, 101, 200};
constexpr int64_t kNarrow[] = {1, 2, 2, 3, 3, 4, 5, 6};

ir::Shape DrawSpace(std::mt19937_64& random) {
  constexpr size_t kRanks[] = {0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6};
  const auto below = [&random](size_t count) { return static_cast<size_t>(random() % count); };
  const size_t rank = kRanks[below(std::size(kRanks))];
  ir::Shape space(rank, 1);
  if (rank == 0) return space;
  const size_t wide = below(10) < 7 ? rank - 1 : below(rank);
  int64_t elements = space[wide] = kWide[below(std::size(kWide))];
  for (size_t i = 0; i < rank; ++i) {
    if (i == wide) continue;
    int64_t dim = kNarrow[below(std::size(kNarrow))];
    if (below(12) == 0) dim = kWide[below(std::size(kWide))];
    // Now and then as many as elsewhere: what happens to be alike is not the same.
    if (below(8) == 0) dim = space[wide];
    if (elements * dim > kMostElements) dim = 1 + static_cast<int64_t>(below(2));
    if (elements * dim > kMostElements) dim = 1;
    space[i] = dim;
    elements *= dim;
  }
  if (below(25) == 0) space[below(rank)] = 0;
  return space;
}

void DrawOperation(BodyDraft& draft, bool only_floats) {
  const size_t choice = draft.Below(100);
  if (choice < 35 || (only_floats && choice < 60)) return DrawFloat(draft);
  if (choice < 47) return DrawInteger(draft);
  if (choice < 54) return DrawComparison(draft);
  if (choice < 58) return DrawLogic(draft);
  if (choice < 65) return DrawSelect(draft);
  if (choice < 74) return DrawConvert(draft);
  if (choice < 87) return DrawReduction(draft);
  DrawComposite(draft);
}

}  // namespace

DrawnBody DrawBody(uint64_t seed, int most_operations) {
  std::mt19937_64 random(seed);
  DrawnBody drawn;
  drawn.seed = seed;
  drawn.space = DrawSpace(random);
  if (random() % 2 == 0) drawn.limits = kFewRegisters;
  BodyDraft::Style style;
  style.special = random() % 8 == 0;
  const bool empty = std::find(drawn.space.begin(), drawn.space.end(), 0) != drawn.space.end();
  style.dynamic = drawn.dynamic = !empty && random() % 3 == 0;
  const bool only_floats = random() % 3 == 0;
  const auto most = static_cast<uint64_t>(most_operations);
  // Small ones are more frequent.
  const uint64_t operations = 1 + std::min(random() % most, random() % most);
  BodyDraft draft(drawn.space, style, random());
  for (uint64_t i = 0; i < operations; ++i) DrawOperation(draft, only_floats);
  draft.Join(1 + draft.Below(kMostLoose));
  drawn.body = draft.Finish(&drawn.ranges);
  drawn.parameter_axes = draft.ParameterAxes();
  drawn.body->set_name("fuzzed");
  return drawn;
}

}  // namespace burin::snippets

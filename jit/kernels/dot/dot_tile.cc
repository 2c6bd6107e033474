#include "jit/kernels/dot/dot_tile.h"

#include <algorithm>

#include "base/check.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/dot/dot_spec.h"

namespace burin::jit {
namespace {

constexpr int kChains = 16;

constexpr double kElementBytes = 4;

// Rows with which columns are read side by side; fewer columns leave the registers to more rows.
constexpr int64_t kUsualRows = 4;

// Columns that are read side by side at least, where there are as many.
constexpr int kLeastGroup = 2;

// Cycles in which the chains of a sum are added up and stored, about.
constexpr double kCyclesOfSum = 4;

// Loads a cycle.
constexpr double kLoads = 2;

double Pieces(int64_t count, int64_t size) { return static_cast<double>((count + size - 1) / size); }

}  // namespace

DotTile ChooseDotTile(int64_t rows, int64_t columns, const Target& target) {
  BURIN_CHECK(rows >= 1 && columns >= 1) << "sizes: " << rows << ", " << columns;
  DotSpec spec;
  spec.rows = static_cast<int>(std::min<int64_t>(rows, columns < kUsualRows ? DotSpec::kMaxRows : kUsualRows));
  // Powers of two, so that calls have whole groups; not below two, since A goes by for each group.
  spec.group = 1;
  while (spec.group < DotSpec::kMaxGroup && 2 * spec.group <= columns) spec.group *= 2;
  while (spec.group > kLeastGroup && !spec.Validate(target.isa()).ok()) spec.group /= 2;
  while (spec.rows > 1 && !spec.Validate(target.isa()).ok()) --spec.rows;
  DotTile tile;
  tile.rows = spec.rows;
  tile.group = spec.group;
  return tile;
}

double DotCycles(int64_t rows, int64_t columns, int64_t depth, double b_bytes_per_cycle, const Target& target) {
  if (rows == 0 || columns == 0) return 0;
  const Microarch& microarch = target.microarch();
  const bool wide = target.Supports(IsaLevel::kAvx512);
  const int lanes = wide ? 16 : 8;
  const int rate = std::max(1, wide ? microarch.fma512_per_cycle : microarch.fma256_per_cycle);
  const DotTile tile = ChooseDotTile(rows, columns, target);
  const double tiles = Pieces(rows, tile.rows);
  const double vectors = Pieces(depth, kChains) * kChains / lanes;
  // Of one vector of B.
  const double products = static_cast<double>(tile.rows) / rate;
  const double loads = (static_cast<double>(tile.rows) / tile.group + 1) / kLoads;
  double memory = kElementBytes * lanes / b_bytes_per_cycle;
  // Rows of A beyond the level 1 cache come again with each group, while B is on its way.
  const double a_bytes = kElementBytes * static_cast<double>(tile.rows) * static_cast<double>(depth);
  if (a_bytes > static_cast<double>(target.caches().l1_data) / 2) {
    memory = std::max(memory, kElementBytes * lanes * tile.rows / tile.group / microarch.l2_bytes_per_cycle);
  }
  const double core = std::max(products, loads);
  // Other tiles of rows find B where the columns of a call leave it.
  const double call_bytes = kElementBytes * static_cast<double>(DotSpec::kMaxColumns) * static_cast<double>(depth);
  const double again = call_bytes <= static_cast<double>(target.caches().l2) / 2 ? microarch.l2_bytes_per_cycle
                                                                                 : microarch.l3_bytes_per_cycle;
  const double of_vector = std::max(core, memory) + (tiles - 1) * std::max(core, kElementBytes * lanes / again);
  return static_cast<double>(columns) * (vectors * of_vector + static_cast<double>(rows) * kCyclesOfSum);
}

}  // namespace burin::jit

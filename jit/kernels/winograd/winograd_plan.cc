#include "jit/kernels/winograd/winograd_plan.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/winograd/winograd_weights.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

constexpr int64_t kLineBytes = 64;

// So many work items are made where there is enough to share.
constexpr int64_t kItems = 16;

// Blocks of tiles have at most so many tiles of products: beyond, the weights are read often enough for each.
constexpr int64_t kMostRowTiles = 32;

// What a call of a kernel takes beside its sums, in cycles.
constexpr double kCallCycles = 30;

// Of the time that data takes to come, the part that a core spends waiting although it has other work: of what level 3
// holds, and of what is in memory, which is too far away for the hardware to fetch early enough.
constexpr double kWaitsForLevel3 = 0.3;
constexpr double kWaitsForMemory = 1.0;

int64_t Pieces(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

bool IsWide(const Target& target) { return target.Supports(IsaLevel::kAvx512); }

int64_t LanesOf(const Target& target) { return IsWide(target) ? 16 : 8; }

// Returns the vectors of products that a core sums in a cycle.
double RateOf(const Target& target) {
  const Microarch& microarch = target.microarch();
  return std::max(1, IsWide(target) ? microarch.fma512_per_cycle : microarch.fma256_per_cycle);
}

int64_t PanelsOf(const ConvolutionSpec& spec) { return Pieces(spec.output_channels, PanelLayout::kColumns); }

double WeightBytes(const ConvolutionSpec& spec) {
  return static_cast<double>(PanelsOf(spec)) * static_cast<double>(WinogradWeights::PanelBytes(spec.input_channels));
}

// Returns the bytes of an image, of the input and of the output.
double PixelBytes(const ConvolutionSpec& spec) {
  const auto bytes = [](int64_t height, int64_t width, int64_t channels) {
    return static_cast<double>(height) * static_cast<double>(width) * static_cast<double>(channels * kFloatBytes);
  };
  return bytes(spec.height.input, spec.width.input, spec.input_channels) +
         bytes(spec.height.output, spec.width.output, spec.output_channels);
}

// Says how data comes that is read again and again.
struct Stream {
  double bytes_per_cycle = 1;
  // The part of the time that is lost for other work.
  double waits = 0;
};

// Returns how data of this size comes, from a cache in which there is half of the room for it.
Stream StreamOf(double bytes, const Target& target) {
  const CacheSizes& caches = target.caches();
  const Microarch& microarch = target.microarch();
  if (bytes <= static_cast<double>(caches.l2) / 2) return {microarch.l2_bytes_per_cycle, 0};
  if (bytes <= static_cast<double>(caches.l3_share) / 2) return {microarch.l3_bytes_per_cycle, kWaitsForLevel3};
  return {microarch.dram_bytes_per_cycle, kWaitsForMemory};
}

// Returns the bytes from row to row: whole lines, and no such number of them that rows share a set of the cache.
int64_t RowBytes(int64_t columns) {
  constexpr int64_t kAlias = 2048;
  const int64_t bytes = Pieces(columns * kFloatBytes, kLineBytes) * kLineBytes;
  return bytes > 0 && bytes % kAlias == 0 ? bytes + kLineBytes : bytes;
}

// Returns the same from matrix to matrix: an odd number of lines, since a tile has a row in each of the 36.
int64_t PlaneBytes(int64_t row_bytes, int64_t rows) {
  const int64_t lines = row_bytes * rows / kLineBytes;
  return (lines + (lines % 2 == 0 ? 1 : 0)) * kLineBytes;
}

// Sets block and group, and what follows from them.
void SetBlock(const ConvolutionSpec& spec, int64_t block_tiles, int64_t group_panels, WinogradPlan& plan) {
  plan.block_tiles = block_tiles;
  plan.group_panels = group_panels;
  plan.input_row = RowBytes(spec.input_channels);
  plan.input_plane = PlaneBytes(plan.input_row, block_tiles);
  plan.sum_row = RowBytes(std::min(Pieces(spec.output_channels, 16) * 16, group_panels * PanelLayout::kColumns));
  plan.sum_plane = PlaneBytes(plan.sum_row, block_tiles);
}

// Returns the cycles of the products of a block of so many tiles.
double ProductCycles(const ConvolutionSpec& spec, const WinogradPlan& plan, int64_t tiles, const Target& target) {
  const Microarch& microarch = target.microarch();
  const int64_t lanes = LanesOf(target);
  const int64_t vectors = Pieces(spec.output_channels, lanes);
  const double strips = static_cast<double>(Pieces(vectors, plan.tile.vectors));
  const double width = static_cast<double>(vectors) / std::max(strips, 1.0);
  const RowSplit split = RowSplit::Of(tiles, plan.tile.rows);
  double cycles = 0;
  for (int64_t i = 0; i < split.tiles; ++i) {
    const double accumulators = split.RowsOf(i) * width;
    const double bytes = width * static_cast<double>(lanes * kFloatBytes);
    const double step = std::max({accumulators / RateOf(target), static_cast<double>(microarch.fma_latency),
                                  bytes / microarch.l2_bytes_per_cycle});
    cycles += step * static_cast<double>(spec.input_channels) + 2 * accumulators + kCallCycles;
  }
  return kWinogradProducts * strips * cycles;
}

// Returns the cycles of a vector of channels of a tile, transformed to or from the level 2 cache: its 36 parts are
// written there or read from there, beside the arithmetic.
double TransformCycles(const Target& target) {
  const double bytes = static_cast<double>(kWinogradProducts * LanesOf(target) * kFloatBytes);
  constexpr double kInstructions = 160;
  return bytes / target.microarch().l2_bytes_per_cycle + kInstructions / (2 * RateOf(target));
}

// Returns the cycles of all.
double CyclesOf(const ConvolutionSpec& spec, const WinogradPlan& plan, const Target& target) {
  const int64_t tiles = WinogradTiles(spec);
  const int64_t whole_blocks = tiles / plan.block_tiles;
  const int64_t rest = tiles % plan.block_tiles;
  const double blocks = static_cast<double>(whole_blocks + (rest > 0 ? 1 : 0));
  double products = static_cast<double>(whole_blocks) * ProductCycles(spec, plan, plan.block_tiles, target);
  if (rest > 0) products += ProductCycles(spec, plan, rest, target);
  // A block may have 5 of 8 parts of the level 2 cache; the rest is for weights on their way, and pixels.
  const double scratch = static_cast<double>(plan.scratch_bytes()) * 0.8;
  const Stream block_stream = StreamOf(scratch, target);
  const double weights = WeightBytes(spec);
  const Stream weight_stream = StreamOf(weights, target);
  double coming = blocks * weights / weight_stream.bytes_per_cycle;
  double waiting = coming * weight_stream.waits;
  if (block_stream.waits > 0) {
    // What leaves level 2 comes back before it is written, too. Each panel reads the inputs again.
    const auto panels = static_cast<double>(PanelsOf(spec));
    const double inputs = (2 + panels) * static_cast<double>(plan.input_row);
    const double sums = 3 * panels * static_cast<double>(PanelLayout::kColumns * kFloatBytes);
    const double bytes = kWinogradProducts * static_cast<double>(tiles) * (inputs + sums);
    coming += bytes / block_stream.bytes_per_cycle;
    waiting += bytes / block_stream.bytes_per_cycle;
  }
  const int64_t lanes = LanesOf(target);
  const double vectors = static_cast<double>(Pieces(spec.input_channels, lanes) + Pieces(spec.output_channels, lanes));
  const double groups = static_cast<double>(Pieces(PanelsOf(spec), plan.group_panels));
  return std::max(products + waiting, coming) +
         static_cast<double>(tiles) * (vectors * TransformCycles(target) + (1 + groups) * kCallCycles);
}

// Returns the groups to choose from: powers of two, and all panels.
std::vector<int64_t> GroupSizes(int64_t panels) {
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size < panels; size *= 2) sizes.push_back(size);
  sizes.push_back(panels);
  return sizes;
}

}  // namespace

WinogradPlan PlanWinograd(const ConvolutionSpec& spec, const Target& target) {
  const int64_t tiles = std::max<int64_t>(1, WinogradTiles(spec));
  const int64_t panels = std::max<int64_t>(1, PanelsOf(spec));
  WinogradPlan best;
  BrgemmTileRequest request;
  request.columns = std::clamp<int64_t>(spec.output_channels, 1, PanelLayout::kColumns);
  request.a_row_stride = RowBytes(spec.input_channels);
  const BrgemmTile usual = ChooseBrgemmTile(request, target);
  double least = std::numeric_limits<double>::infinity();
  for (int64_t row_tiles = 1; row_tiles <= kMostRowTiles; ++row_tiles) {
    const int64_t most = std::min(tiles, row_tiles * usual.rows);
    // Even blocks, and blocks of whole tiles.
    for (const int64_t block : {Pieces(tiles, Pieces(tiles, most)), most}) {
      WinogradPlan plan;
      request.rows = block;
      plan.tile = ChooseBrgemmTile(request, target);
      for (const int64_t group : GroupSizes(panels)) {
        const int64_t items = Pieces(tiles, block) * Pieces(panels, group);
        if (group > 1 && items < kItems) continue;
        SetBlock(spec, block, group, plan);
        const double cycles = CyclesOf(spec, plan, target);
        if (cycles >= least) continue;
        least = cycles;
        best = plan;
      }
    }
    if (most == tiles) break;
  }
  // Weights are fetched early unless they come at several times the rate at which they are used; and where a tile of
  // products leaves out lines of a panel's row, which is more than the hardware foresees.
  const double used = static_cast<double>(LanesOf(target) * kFloatBytes) * RateOf(target) /
                      static_cast<double>(std::max<int64_t>(1, best.block_tiles));
  const Stream weights = StreamOf(WeightBytes(spec), target);
  const bool skips = best.tile.vectors * LanesOf(target) < request.columns;
  best.fetches_weights = weights.waits > 0 && (skips || used > weights.bytes_per_cycle / 4);
  // Pixels are where level 2 does not keep them.
  best.fetches_pixels = PixelBytes(spec) > static_cast<double>(target.caches().l2) / 2;
  return best;
}

double WinogradCycles(const ConvolutionSpec& spec, const Target& target) {
  if (WinogradTiles(spec) == 0 || spec.output_channels == 0) return 0;
  return CyclesOf(spec, PlanWinograd(spec, target), target);
}

}  // namespace burin::jit

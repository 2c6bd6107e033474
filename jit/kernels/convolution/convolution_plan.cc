#include "jit/kernels/convolution/convolution_plan.h"

#include <algorithm>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/panels/panel_layout.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

// A work item takes at least so many cycles, where there is as much work.
constexpr double kItemCycles = 30000;

// So many work items are made where they are long enough: several for each of a few threads.
constexpr int64_t kItems = 32;

int64_t Pieces(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

bool IsWide(const Target& target) { return target.Supports(IsaLevel::kAvx512); }

// Returns the vectors of products that a core sums in a cycle.
double RateOf(const Target& target) {
  const Microarch& microarch = target.microarch();
  return IsWide(target) ? microarch.fma512_per_cycle : microarch.fma256_per_cycle;
}

int64_t PixelsOfPlane(const ConvolutionSpec& spec) { return spec.height.output * spec.width.output; }

// Returns the pixels of a tile on average.
double PixelsOfTile(const ConvolutionSpec& spec, const PixelCut& cut) {
  const int64_t tiles = cut.TilesOfPlane(spec.height.output);
  return tiles == 0 ? 1 : static_cast<double>(PixelsOfPlane(spec)) / static_cast<double>(tiles);
}

// Returns the bytes of weights that a core reads in a cycle, with so many pixels to a tile.
double WeightRate(const Target& target, double pixels) {
  return (IsWide(target) ? 64 : 32) * RateOf(target) / std::max(pixels, 1.0);
}

// Returns whether the lines of the input that a tile's pixels lie in stay in the level 1 cache from one panel to the
// next, beside the weights that pass.
bool PixelsStay(const ConvolutionSpec& spec, const Target& target, double pixels) {
  const int64_t stride = spec.width.stride * spec.input.pixel * kFloatBytes;
  const int64_t bytes = spec.input_channels_of_group() * kFloatBytes;
  // One way more than RowsInCache() leaves is for the weights, which pass all the time.
  return pixels * static_cast<double>(bytes) <= static_cast<double>(target.caches().l1_data) * 2 / 3 &&
         pixels <= RowsInCache(stride, target) - 1;
}

// Sets the tile and its cut: by whole panels, unless the pixels are cut into so small tiles that the weights do not
// come fast enough; then by half of the columns, of which tiles have twice the pixels. Pixels that do not stay in the
// level 1 cache come slower than weights, which lie one behind the other: for them it has to be necessary.
void ChooseTile(const ConvolutionSpec& spec, const Target& target, const EpilogueRegisters& epilogue,
                ConvolutionPlan& plan) {
  BrgemmTileRequest request;
  request.columns = std::clamp<int64_t>(spec.output_channels_of_group(), 1, PanelLayout::kColumns);
  request.rows = PixelsOfPlane(spec);
  request.depth = spec.steps();
  request.a_row_stride = spec.width.stride * spec.input.pixel * kFloatBytes;
  request.epilogue_vectors = epilogue.vectors;
  request.epilogue_least = epilogue.least_vectors;
  const auto choose = [&](ConvolutionPlan& to) {
    to.tile = ChooseBrgemmTile(request, target);
    to.cut = PixelCut::Of(spec.height.output, spec.width.output, to.tile.rows);
  };
  choose(plan);
  const double enough = 0.5 * target.microarch().l2_bytes_per_cycle;
  if (plan.tile.vectors < 2 || WeightRate(target, PixelsOfTile(spec, plan.cut)) <= enough) return;
  request.columns = plan.tile.vectors / 2 * (IsWide(target) ? 16 : 8);
  ConvolutionPlan narrow;
  choose(narrow);
  const double pixels = PixelsOfTile(spec, narrow.cut);
  if (pixels <= PixelsOfTile(spec, plan.cut)) return;
  const bool needs = WeightRate(target, PixelsOfTile(spec, plan.cut)) > target.microarch().l2_bytes_per_cycle;
  if (!needs && !PixelsStay(spec, target, pixels)) return;
  plan.tile = narrow.tile;
  plan.cut = narrow.cut;
}

// Returns the steps of a chunk of at most `bytes` bytes of a panel: whole taps, or even parts of one.
int64_t ChunkSteps(const ConvolutionSpec& spec, int64_t bytes) {
  const int64_t most = std::max<int64_t>(1, bytes / PanelLayout::kStepBytes);
  const int64_t channels = spec.input_channels_of_group();
  if (channels <= most) {
    const int64_t taps = most / channels;
    return Pieces(spec.taps(), Pieces(spec.taps(), taps)) * channels;
  }
  // A multiple of what a loop does at a time.
  constexpr int64_t kUnroll = 4;
  return Pieces(Pieces(channels, Pieces(channels, most)), kUnroll) * kUnroll;
}

}  // namespace

ConvolutionPlan PlanConvolution(const ConvolutionSpec& spec, const Target& target, const EpilogueRegisters& epilogue,
                                const std::optional<BrgemmTile>& tile) {
  const CacheSizes& caches = target.caches();
  ConvolutionPlan plan;
  if (tile.has_value()) {
    plan.tile = *tile;
    plan.cut = PixelCut::Of(spec.height.output, spec.width.output, tile->rows);
  } else {
    ChooseTile(spec, target, epilogue, plan);
  }
  const int64_t panels =
      std::max<int64_t>(1, spec.groups * Pieces(spec.output_channels_of_group(), PanelLayout::kColumns));
  const int64_t tiles = spec.depth.output * plan.cut.TilesOfPlane(spec.height.output);
  const int64_t panel_bytes = spec.steps() * PanelLayout::kStepBytes;
  const double weights = static_cast<double>(panel_bytes) * static_cast<double>(panels);
  const auto half_l2 = static_cast<double>(caches.l2) / 2;
  plan.pixels_first = weights <= half_l2;
  plan.chunk_steps = spec.steps();
  const double pixels = PixelsOfTile(spec, plan.cut);
  // Where level 3 does not bring weights as fast as they are used, with something to spare for all else, they are
  // fetched early and used for all tiles while they are in level 2.
  const bool slow = WeightRate(target, pixels) > 0.5 * target.microarch().l3_bytes_per_cycle;
  if (slow && !plan.pixels_first && spec.images * tiles > 1) {
    plan.fetches_weights = true;
    const int64_t chunk = caches.l2 / 8;
    if (panel_bytes > 2 * chunk) plan.chunk_steps = ChunkSteps(spec, chunk);
  }
  const double inputs = static_cast<double>(spec.images) * static_cast<double>(spec.depth.input * spec.height.input) *
                        static_cast<double>(spec.width.input * spec.input.pixel) * kFloatBytes;
  plan.fetches_pixels = plan.pixels_first && spec.taps() == 1 && spec.width.stride == 1 && !plan.cut.whole_rows &&
                        spec.input.pixel == spec.input_channels && spec.groups == 1 && inputs > half_l2;
  const double outputs = static_cast<double>(spec.images * spec.depth.output) *
                         static_cast<double>(PixelsOfPlane(spec)) * static_cast<double>(spec.output_channels) *
                         kFloatBytes;
  plan.fetches_output = outputs > half_l2;
  const double call = pixels *
                      static_cast<double>(std::min<int64_t>(PanelLayout::kColumns, spec.output_channels_of_group())) /
                      (IsWide(target) ? 16 : 8) * static_cast<double>(spec.steps()) / RateOf(target);
  const int64_t all_tiles = std::max<int64_t>(1, spec.images * tiles);
  const auto long_enough = static_cast<int64_t>(kItemCycles / std::max(call, 1.0)) + 1;
  if (plan.pixels_first) {
    // Panels are shared too where there are few tiles.
    plan.item_panels = Pieces(panels, Pieces(kItems / 2, all_tiles));
    plan.item_tiles = std::clamp<int64_t>(Pieces(long_enough, plan.item_panels), 1, Pieces(all_tiles, kItems));
  } else if (plan.chunk_steps < spec.steps() || plan.fetches_weights) {
    // A chunk is used for as many tiles as can be, but where panels are too few to be shared.
    plan.item_tiles = Pieces(all_tiles, Pieces(kItems / 2, panels));
  } else {
    plan.item_tiles = std::min(long_enough, Pieces(all_tiles, Pieces(kItems, panels)));
  }
  return plan;
}

double ConvolutionCycles(const ConvolutionSpec& spec, const Target& target) {
  const ConvolutionSpec flat = spec.Flattened();
  const Microarch& microarch = target.microarch();
  const CacheSizes& caches = target.caches();
  const ConvolutionPlan plan = PlanConvolution(flat, target, EpilogueRegisters());
  const int64_t lanes = IsWide(target) ? 16 : 8;
  const double outputs =
      static_cast<double>(flat.images * flat.depth.output) * static_cast<double>(PixelsOfPlane(flat));
  const double vectors = static_cast<double>(flat.groups * Pieces(flat.output_channels_of_group(), lanes)) * outputs;
  const double inputs = static_cast<double>(flat.images * flat.depth.input) * static_cast<double>(flat.height.input) *
                        static_cast<double>(flat.width.input) * static_cast<double>(flat.input_channels);
  // A tile has enough accumulators for the multipliers, or waits for them.
  const double accumulators = PixelsOfTile(flat, plan.cut) * plan.tile.vectors;
  const double busy = std::min(1.0, accumulators / (microarch.fma_latency * RateOf(target)));
  const double arithmetic = vectors * static_cast<double>(flat.steps()) / (RateOf(target) * busy);
  const double weights = static_cast<double>(flat.groups * flat.steps() * PanelLayout::kStepBytes) *
                         static_cast<double>(Pieces(flat.output_channels_of_group(), PanelLayout::kColumns));
  const double bytes = (inputs + outputs * static_cast<double>(flat.output_channels)) * kFloatBytes + weights;
  double bandwidth = microarch.dram_bytes_per_cycle;
  if (bytes <= static_cast<double>(caches.l3_share)) bandwidth = microarch.l3_bytes_per_cycle;
  if (bytes <= static_cast<double>(caches.l2)) bandwidth = microarch.l2_bytes_per_cycle;
  return std::max({arithmetic, bytes / bandwidth, vectors});
}

}  // namespace burin::jit

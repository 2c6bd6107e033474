#include "jit/kernels/depthwise/depthwise_plan.h"

#include <algorithm>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

// A strip of more outputs saves few loads.
constexpr int kMostPixels = 8;

// A row of the window has at least so many multiplications before a loop over the rows costs nothing.
constexpr int64_t kLongRow = 64;

// Code of more multiplications than this is looped over, lest it crowds the cache of instructions.
constexpr int64_t kMostUnrolled = 512;

// What is fetched is there after so many cycles, even where others are busy with the same memory; and no more rows
// ahead than this, which the level 2 cache keeps.
constexpr double kFetchCycles = 4000;
constexpr int64_t kMostAhead = 4;

int64_t Pieces(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

bool IsWide(const Target& target) { return target.Supports(IsaLevel::kAvx512); }

// Returns the vectors of products that a core sums in a cycle.
double RateOf(const Target& target) {
  const Microarch& microarch = target.microarch();
  return IsWide(target) ? microarch.fma512_per_cycle : microarch.fma256_per_cycle;
}

// Returns the accumulators that keep the multipliers busy.
int LatencyOf(const Target& target) { return static_cast<int>(target.microarch().fma_latency * RateOf(target)); }

// Returns the bytes of one channel of so many rows of the input, as if there were no padding.
double RowBytes(const DepthwiseSpec& spec, int64_t rows) {
  return static_cast<double>(spec.width.input) * static_cast<double>(rows) * kFloatBytes;
}

// Returns the bytes of the input and the output.
double ImageBytes(const DepthwiseSpec& spec) {
  const double inputs = static_cast<double>(spec.images * spec.depth.input) * static_cast<double>(spec.height.input) *
                        static_cast<double>(spec.width.input) * static_cast<double>(spec.channels);
  const double outputs = static_cast<double>(spec.images * spec.depth.output) *
                         static_cast<double>(spec.height.output * spec.width.output) *
                         static_cast<double>(spec.output_channels());
  return (inputs + outputs) * kFloatBytes;
}

// Returns the vectors of channels of a work item: as many as the rows that a window spans leave in the level 1 cache.
// Images that are a large part of the level 3 cache come from memory in part, best in long runs: of those the rows stay
// in the level 2 cache.
int64_t BlockVectors(const DepthwiseSpec& spec, const CacheSizes& caches, int lanes) {
  const bool far = ImageBytes(spec) > static_cast<double>(std::max(caches.l2, caches.l3_share / 4));
  const double room = far ? static_cast<double>(caches.l2) / 2 : static_cast<double>(caches.l1_data) * 0.75;
  const double rows = RowBytes(spec, spec.height.kernel * spec.depth.kernel);
  const double of_vector =
      rows * lanes / static_cast<double>(spec.multiplier) + static_cast<double>(spec.taps() * lanes * kFloatBytes);
  // Two lines of a pixel at least: processors fetch lines by pairs.
  const int64_t least = 2 * caches.line / kFloatBytes / lanes;
  const auto fit = static_cast<int64_t>(room / std::max(of_vector, 1.0));
  return std::clamp<int64_t>(Pieces(spec.output_channels(), lanes), 1, std::max(least, fit));
}

}  // namespace

DepthwisePlan PlanDepthwise(const DepthwiseSpec& spec, const Target& target, const EpilogueRegisters& epilogue,
                            const std::optional<DepthwiseTile>& tile) {
  DepthwisePlan plan;
  plan.lanes = IsWide(target) ? VecAvx512::kLanes : VecAvx2::kLanes;
  const int registers = IsWide(target) ? 32 : 16;
  // Beside the accumulators: an input, one more that is on its way, and what masks and permutes.
  const int others = 2 + (spec.multiplier > 1 ? 2 : 0) + (IsWide(target) ? 0 : 1);
  const int64_t weights = std::min<int64_t>(spec.width.kernel, registers);
  int most = kMostPixels;
  if (registers - others - weights >= most / 2) {
    most = std::min<int>(most, static_cast<int>(registers - others - weights));
  } else {
    most = std::min(most, registers - others - 1);
  }
  most = std::max(1, std::min(most, registers - epilogue.vectors));
  const int64_t strips = std::max<int64_t>(1, Pieces(spec.width.output, most));
  plan.pixels = static_cast<int>(std::max<int64_t>(1, Pieces(spec.width.output, strips)));
  const int64_t all_vectors = Pieces(spec.output_channels(), plan.lanes);
  const auto fits = [&](int vectors) {
    return vectors <= all_vectors && plan.pixels * vectors <= most &&
           plan.pixels * vectors + others + weights * vectors <= registers;
  };
  if (spec.multiplier == 1) {
    while (plan.pixels * plan.vectors < LatencyOf(target) && fits(2 * plan.vectors)) plan.vectors *= 2;
  }
  if (tile.has_value()) {
    plan.pixels = tile->pixels;
    plan.vectors = tile->vectors;
  }
  const int64_t row = spec.width.kernel * plan.pixels * plan.vectors;
  const int64_t rows = spec.height.kernel * spec.depth.kernel;
  plan.unrolls_rows = rows == 1 || (row < kLongRow && row * rows <= kMostUnrolled);
  plan.block_vectors = BlockVectors(spec, target.caches(), plan.lanes);
  if (tile.has_value() && tile->block_vectors > 0) plan.block_vectors = std::min(tile->block_vectors, all_vectors);
  const double image = RowBytes(spec, spec.height.input * spec.depth.input) * static_cast<double>(spec.channels);
  if (image > static_cast<double>(target.caches().l2) && spec.height.output > 1) {
    const double cycles = static_cast<double>(std::min(plan.block_vectors, all_vectors) * spec.width.output) *
                          static_cast<double>(spec.taps()) / RateOf(target);
    plan.fetched_ahead =
        std::clamp<int64_t>(static_cast<int64_t>(kFetchCycles / std::max(cycles, 1.0)) + 1, 1, kMostAhead);
  }
  return plan;
}

double DepthwiseCycles(const DepthwiseSpec& spec, const Target& target) {
  const Microarch& microarch = target.microarch();
  const CacheSizes& caches = target.caches();
  const int lanes = IsWide(target) ? VecAvx512::kLanes : VecAvx2::kLanes;
  const double pixels = static_cast<double>(spec.images * spec.depth.output) * static_cast<double>(spec.height.output) *
                        static_cast<double>(spec.width.output);
  const double vectors = pixels * static_cast<double>(Pieces(spec.output_channels(), lanes));
  const double arithmetic = vectors * static_cast<double>(spec.taps()) / RateOf(target);
  const double bytes = ImageBytes(spec);
  double bandwidth = microarch.dram_bytes_per_cycle;
  if (bytes <= static_cast<double>(caches.l3_share)) bandwidth = microarch.l3_bytes_per_cycle;
  if (bytes <= static_cast<double>(caches.l2)) bandwidth = microarch.l2_bytes_per_cycle;
  // A vector is stored by itself, however few taps there are.
  return std::max({arithmetic, bytes / bandwidth, 2 * vectors});
}

}  // namespace burin::jit

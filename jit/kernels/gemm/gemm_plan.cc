#include "jit/kernels/gemm/gemm_plan.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "absl/strings/str_cat.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/dot/dot_spec.h"
#include "jit/kernels/dot/dot_tile.h"
#include "jit/kernels/panels/panel_layout.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;

// The most bytes of a chunk of a strip, and of one that is not worth cutting.
constexpr int64_t kMostChunkBytes = 256 << 10;
constexpr int64_t kMostWholeBytes = 512 << 10;

// The fewest bytes of a chunk of a strip for which sums that are longer are cut.
constexpr int64_t kLeastChunkBytes = 64 << 10;

// The most rows for which a large B is read in place by several tiles.
constexpr int64_t kMostRowsInPlace = 256;

// The most vectors of a tile that reads B in place: what each step reads lies side by side, and the accumulators keep
// the core busy.
constexpr int kMostVectorsInPlace = 16;

// Rows of B that lie far apart are best read from memory a few at a time, in turn and to their ends, since that is what
// processors fetch early: so many rows, by tiles of so many vectors, for so many rows of A.
constexpr int64_t kStreamedSteps = 8;
constexpr int kStreamedVectors = 4;
constexpr int64_t kMostStreamedRows = 4;

// Chunks are multiples of so many steps, so that the loops of tiles have no rest but in the last chunk.
constexpr int64_t kChunkMultiple = 8;

// Steps of a sum that is worth code of its own.
constexpr int64_t kMostFixedSteps = 256;

// Multiply-adds of a work item: a few microseconds.
constexpr int64_t kItemWork = 256 << 10;

// Cycles in which 16 elements of B are packed, about, where B is near: what transposes them, and a store.
constexpr double kCyclesOfPacking = 6;

// Any number of rows.
constexpr int64_t kAllRows = std::numeric_limits<int32_t>::max();

int64_t Pieces(int64_t count, int64_t size) { return (count + size - 1) / size; }

int64_t LanesOf(const Target& target) { return target.Supports(IsaLevel::kAvx512) ? 16 : 8; }

// Returns the most rows of which one tile reads B in place.
// They leave the epilogue what it cannot do without.
int64_t MostRowsInPlace(const Target& target, const EpilogueRegisters& epilogue) {
  const bool wide = target.Supports(IsaLevel::kAvx512);
  return std::min<int64_t>(wide ? BrgemmSpec::kMaxRows : 12, (wide ? 32 : 16) - epilogue.least_vectors);
}

// Returns the part of the level 2 cache that lines can be in of which `run` bytes lie side by side, and the runs at
// `stride` bytes.
int64_t ReachedCacheBytes(int64_t run, int64_t stride, const CacheSizes& caches) {
  // Addresses that far apart share a set of a cache of 8 ways; others of as many sets have more ways.
  const int64_t period = caches.l2 / 8;
  const int64_t distance = std::max<int64_t>(1, std::abs(stride) & -std::abs(stride));
  return distance >= period ? run * 8 : std::min(caches.l2, caches.l2 / distance * run);
}

// Returns the bytes of a chunk of a strip that is read in place: lines that lie apart displace each other earlier.
int64_t ChunkBytesInPlace(const GemmSpec& spec, const Target& target) {
  return std::min(kMostChunkBytes,
                  ReachedCacheBytes(PanelLayout::kStepBytes, spec.b_depth_stride, target.caches()) / 4);
}

// Returns whether reading B as it lies is no slower than packing it first: a strip of it stays in the level 2 cache
// while all rows go over it, and either all of B does, or the rows are not so many that packing costs next to nothing.
bool StaysInPlace(const GemmSpec& spec, const Target& target) {
  const int64_t bytes = std::min(spec.k * PanelLayout::kStepBytes, kLeastChunkBytes);
  if (bytes > ChunkBytesInPlace(spec, target)) return false;
  if (spec.n * spec.k * kElementBytes <= target.caches().l2 / 4) return true;
  // Narrow vectors, and such as cross lines, read more lines each time.
  const bool whole_lines = LanesOf(target) == 16 && spec.b_depth_stride % target.caches().line == 0;
  return whole_lines && spec.m.has_value() && *spec.m <= kMostRowsInPlace;
}

// Returns the bytes that a core reads in a cycle of what has so many.
double BandwidthOf(double bytes, const Target& target) {
  const Microarch& microarch = target.microarch();
  return bytes <= static_cast<double>(target.caches().l2)         ? microarch.l2_bytes_per_cycle
         : bytes <= static_cast<double>(target.caches().l3_share) ? microarch.l3_bytes_per_cycle
                                                                  : microarch.dram_bytes_per_cycle;
}

// Returns the cycles in which one product packs B and multiplies it.
double PackedCycles(const GemmSpec& spec, double b_bytes_per_cycle, const Target& target) {
  const bool wide = target.Supports(IsaLevel::kAvx512);
  const int rate = std::max(1, wide ? target.microarch().fma512_per_cycle : target.microarch().fma256_per_cycle);
  const auto columns = static_cast<double>(Pieces(spec.n, PanelLayout::kColumns) * PanelLayout::kColumns);
  const auto vectors = static_cast<double>(spec.k) / static_cast<double>(LanesOf(target));
  const double packing = kCyclesOfPacking * static_cast<double>(LanesOf(target)) / 16;
  const double reading = kElementBytes * static_cast<double>(LanesOf(target)) / b_bytes_per_cycle;
  return columns * vectors * (std::max(packing, reading) + static_cast<double>(*spec.m) / rate);
}

// Returns whether the products are fastest as dot products: A and B lie along the sum, and the rows are so few that
// packing B does not pay.
bool TakesDots(const GemmSpec& spec, const Target& target) {
  const bool lie_along = spec.b_depth_stride == kElementBytes && spec.a_depth_stride == kElementBytes;
  if (!lie_along || !spec.m.has_value() || *spec.m == 0 || spec.n == 0) return false;
  const double bandwidth =
      BandwidthOf(kElementBytes * static_cast<double>(spec.n) * static_cast<double>(spec.k), target);
  return DotCycles(*spec.m, spec.n, spec.k, bandwidth, target) < PackedCycles(spec, bandwidth, target);
}

GemmSource ChooseSource(const GemmSpec& spec, const EpilogueRegisters& epilogue, const Target& target) {
  if (spec.b_packed) return GemmSource::kPanels;
  if (TakesDots(spec, target)) return GemmSource::kDot;
  if (spec.b_column_stride != kElementBytes || std::abs(spec.b_depth_stride) > PanelLayout::kStepBytes << 16) {
    return GemmSource::kScratch;
  }
  const bool few = spec.m.has_value() && *spec.m <= MostRowsInPlace(target, epilogue);
  return few || StaysInPlace(spec, target) ? GemmSource::kInPlace : GemmSource::kScratch;
}

// Returns the tile of all rows, of which B is read once, in place.
BrgemmTile TileOfAllRows(const GemmSpec& spec, const EpilogueRegisters& epilogue, const Target& target) {
  const bool wide = target.Supports(IsaLevel::kAvx512);
  BrgemmTile tile;
  tile.rows = static_cast<int>(std::max<int64_t>(1, *spec.m));
  tile.broadcast = wide ? target.microarch().broadcast : BroadcastForm::kRegister;
  // Beside accumulators and B: what A is broadcast to, and a mask.
  const int left = wide ? (tile.broadcast == BroadcastForm::kEmbedded || tile.rows > 15 ? 32 : 31) : 14;
  const int accumulators = (wide ? 32 : 16) - epilogue.least_vectors;
  const int most = std::min(tile.rows == 1 ? left - 2 : left / (tile.rows + 1), accumulators / tile.rows);
  const int64_t vectors = Pieces(spec.n, LanesOf(target));
  tile.vectors =
      static_cast<int>(std::clamp<int64_t>(std::min(most, kMostVectorsInPlace), 1, std::max<int64_t>(1, vectors)));
  return tile;
}

// Sets how dot products are cut: all of a sum at once, by strips of what a call takes.
void PlanDots(const GemmSpec& spec, const Target& target, GemmPlan& plan) {
  const DotTile dot = ChooseDotTile(*spec.m, spec.n, target);
  GemmColumns part;
  part.tile.rows = dot.rows;
  part.tile.vectors = dot.group;
  plan.strip_columns = DotSpec::kMaxColumns;
  plan.whole_strip = {part};
  if (spec.n % plan.strip_columns != 0) plan.last_strip = {part};
  plan.chunk_steps = std::max<int64_t>(1, spec.k);
  plan.block_rows = kAllRows;
  plan.prefetch_lines = spec.n * spec.k * kElementBytes > target.caches().l3_share / 2 ? 1 : 0;
}

// Cuts `columns` columns into parts by `tile`, the last of which may be narrower and have another tile.
std::vector<GemmColumns> CutStrip(int64_t columns, const BrgemmTile& tile, int64_t lanes) {
  std::vector<GemmColumns> parts;
  for (int64_t first = 0; first < columns; first += tile.vectors * lanes) {
    GemmColumns part;
    part.first = first;
    part.tile = tile;
    const int64_t left = std::min(columns - first, tile.vectors * lanes);
    part.tile.vectors = static_cast<int>(Pieces(left, lanes));
    part.last_columns = static_cast<int>(left % lanes);
    parts.push_back(part);
  }
  return parts;
}

// Returns the steps of a chunk of which there are as few as there can be of at most `most` steps.
int64_t EvenChunk(int64_t k, int64_t most) {
  const int64_t chunks = std::max<int64_t>(1, Pieces(k, most));
  return std::max<int64_t>(1, std::min(k, Pieces(Pieces(k, chunks), kChunkMultiple) * kChunkMultiple));
}

}  // namespace

GemmPlan GemmPlan::Of(const GemmSpec& spec, const EpilogueRegisters& epilogue_registers, const Target& target,
                      const std::optional<BrgemmTile>& tile) {
  const int64_t lanes = LanesOf(target);
  const CacheSizes& caches = target.caches();
  GemmPlan plan;
  plan.item_work = kItemWork;
  plan.source = ChooseSource(spec, epilogue_registers, target);
  if (plan.source == GemmSource::kDot) {
    PlanDots(spec, target, plan);
    return plan;
  }
  const bool few = plan.source == GemmSource::kInPlace && spec.m.has_value() &&
                   *spec.m <= MostRowsInPlace(target, epilogue_registers);
  BrgemmTileRequest request;
  request.rows = spec.m.value_or(0);
  request.depth = spec.k;
  // Rows of a transposed A lie side by side.
  request.a_row_stride = spec.a_row_stride;
  request.epilogue_vectors = epilogue_registers.vectors;
  request.epilogue_least = epilogue_registers.least_vectors;
  request.reserved_vectors = plan.source == GemmSource::kInPlace && lanes == 8 ? 1 : 0;
  request.columns = PanelLayout::kColumns;
  BrgemmTile whole =
      few ? TileOfAllRows(spec, epilogue_registers, target) : tile.value_or(ChooseBrgemmTile(request, target));
  plan.along_strips = few && *spec.m <= kMostStreamedRows && whole.vectors >= kStreamedVectors &&
                      spec.n * spec.k * kElementBytes > caches.l2;
  if (plan.along_strips) whole.vectors = kStreamedVectors;
  plan.strip_columns = few ? whole.vectors * lanes : PanelLayout::kColumns;
  plan.whole_strip = CutStrip(plan.strip_columns, whole, lanes);
  if (const int64_t rest = spec.n % plan.strip_columns; rest > 0) {
    request.columns = rest;
    plan.last_strip = CutStrip(rest, few ? whole : ChooseBrgemmTile(request, target), lanes);
  }
  // Where several tiles read the same lines of B, chunks of a strip stay in the level 2 cache between them.
  const bool in_place = plan.source == GemmSource::kInPlace;
  const bool again = !spec.m.has_value() || *spec.m > whole.rows || plan.whole_strip.size() > 1;
  const int64_t chunk_bytes = in_place ? ChunkBytesInPlace(spec, target) : std::min(caches.l2 / 4, kMostChunkBytes);
  const int64_t whole_bytes =
      plan.source == GemmSource::kPanels ? std::min(caches.l2 / 2, kMostWholeBytes) : chunk_bytes;
  const bool cut = (again || plan.source == GemmSource::kScratch) && spec.k * PanelLayout::kStepBytes > whole_bytes;
  plan.chunk_steps = EvenChunk(spec.k, cut ? chunk_bytes / PanelLayout::kStepBytes : std::max<int64_t>(1, spec.k));
  if (plan.along_strips) plan.chunk_steps = kStreamedSteps;
  // Where the next level is slow, blocks of A stay there too while strips go by; else they are larger, so that strips
  // come from there less often. What is packed by each call is packed once for all rows.
  const Microarch& microarch = target.microarch();
  const bool slow = 2 * microarch.l3_bytes_per_cycle < microarch.l2_bytes_per_cycle;
  const int64_t block_bytes = slow ? caches.l2 / 4 : caches.l2 * 2;
  plan.block_rows = plan.source == GemmSource::kScratch
                        ? kAllRows
                        : std::max<int64_t>(4 * whole.rows, block_bytes / (plan.chunk_steps * kElementBytes));
  plan.fixed_depth = spec.m.has_value() && spec.k <= kMostFixedSteps && plan.chunk_steps == spec.k &&
                     whole.broadcast == BroadcastForm::kEmbedded;
  plan.prefetch_c = spec.m.value_or(plan.block_rows) * spec.n * kElementBytes > caches.l2 / 2;
  // Narrow vectors read a part of each step at a time, which no processor fetches early by itself.
  const bool streams = plan.source == GemmSource::kPanels && again && spec.n * spec.k * kElementBytes > caches.l2 / 2;
  if (streams && (slow || lanes == 8)) {
    const int64_t tiles = Pieces(std::min(spec.m.value_or(plan.block_rows), plan.block_rows), whole.rows);
    const int64_t calls = std::max<int64_t>(1, tiles * static_cast<int64_t>(plan.whole_strip.size()));
    const int64_t lines = BrgemmSpec::kUnroll * PanelLayout::kStepBytes / caches.line;
    plan.prefetch_lines = static_cast<int>(std::clamp<int64_t>(Pieces(lines, calls), 1, lines));
  }
  return plan;
}

std::string GemmPlan::ToString() const {
  std::string text = absl::StrCat(EnumName(source), ", strips ", strip_columns, ", tiles");
  for (const std::vector<GemmColumns>* const strip : {&whole_strip, &last_strip}) {
    int last_vectors = 0;
    for (const GemmColumns& part : *strip) {
      if (part.tile.vectors == last_vectors) continue;
      last_vectors = part.tile.vectors;
      absl::StrAppend(&text, " ", part.tile.rows, "x", part.tile.vectors, " ", EnumName(part.tile.broadcast));
    }
  }
  return absl::StrCat(text, ", chunks ", chunk_steps, ", blocks ", block_rows, ", prefetch ", prefetch_lines,
                      along_strips ? ", along strips" : "");
}

double GemmCycles(const GemmSpec& spec, const Target& target) {
  const Microarch& microarch = target.microarch();
  const bool wide = target.Supports(IsaLevel::kAvx512);
  const double lanes = static_cast<double>(LanesOf(target));
  const int rate = wide ? microarch.fma512_per_cycle : microarch.fma256_per_cycle;
  const auto rows = static_cast<double>(spec.m.value_or(1)) * static_cast<double>(spec.BatchSize());
  const double columns = static_cast<double>(Pieces(spec.n, static_cast<int64_t>(lanes))) * lanes;
  const auto k = static_cast<double>(spec.k);
  const double arithmetic = rows * columns * k / (lanes * rate);
  double products_of_b = 1;
  for (const GemmBatchDim& dim : spec.batch) {
    if (dim.b_stride != 0) products_of_b *= static_cast<double>(dim.extent);
  }
  const double bytes = kElementBytes * (columns * k * products_of_b + rows * k + rows * columns);
  const auto l2 = static_cast<double>(target.caches().l2);
  const auto l3 = static_cast<double>(target.caches().l3_share);
  const double bandwidth = bytes <= l2   ? microarch.l2_bytes_per_cycle
                           : bytes <= l3 ? microarch.l3_bytes_per_cycle
                                         : microarch.dram_bytes_per_cycle;
  return std::max(arithmetic, bytes / bandwidth);
}

}  // namespace burin::jit

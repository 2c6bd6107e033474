#include "jit/kernels/copy.h"

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/copy_blocks.h"
#include "jit/kernels/copy_elements.h"
#include "jit/kernels/copy_interleaver.h"
#include "jit/kernels/copy_records.h"
#include "jit/kernels/copy_rows.h"
#include "jit/kernels/copy_tiles.h"

namespace burin::jit {
namespace {

// What one work item moves, about: enough that a call costs nothing, and no more than a level 1 cache.
constexpr int64_t kItemBytes = 32 << 10;

// The same of a transpose, whose items begin with lines that are far from each other, and of a large one by blocks, of
// which the first and the last of a call do not overlap with others.
constexpr int64_t kTransposeItemBytes = 64 << 10;
constexpr int64_t kBlocksItemBytes = 128 << 10;

// Into how many items a transpose by blocks is cut at least, so that threads have something to share.
constexpr int64_t kBlocksItems = 16;

constexpr int64_t kLineBytes = 64;

// The sets of a level 1 cache: those of 32 KiB with 8 ways, and of 48 KiB with 12.
constexpr int64_t kCacheSets = 64;

// The ways of the smaller one.
constexpr int kCacheWays = 8;

// A cache keeps no more than this of what one thread writes.
constexpr int64_t kMaxCachedBytes = 32 << 20;

// Inner loops below this length are left to a longer one.
constexpr int64_t kShortLoop = 8;

// Returns how much of what is written may stay in the caches.
int64_t CachedBytes(const CacheSizes& caches) {
  return std::min(std::max(caches.l3_share, caches.l2), kMaxCachedBytes);
}

// Returns whether writing `bytes` past the caches is faster than into them, where each line would first be read.
bool ExceedsCaches(int64_t bytes, const CacheSizes& caches) { return bytes > CachedBytes(caches); }

// Returns the same for a transpose, which profits earlier: its lines come and go in no order that prefetching follows,
// and both sides count.
bool CrowdsCaches(int64_t bytes, const CacheSizes& caches) { return bytes >= CachedBytes(caches) / 4; }

// Returns the most lines of `rows` rows at this stride that share a set of the level 1 cache.
int LinesPerSet(int64_t stride, int rows) {
  std::array<int, kCacheSets> lines = {};
  for (int row = 0; row < rows; ++row) {
    ++lines[static_cast<uint64_t>(row) * static_cast<uint64_t>(stride) / kLineBytes % kCacheSets];
  }
  return *std::max_element(lines.begin(), lines.end());
}

// Returns the rows of a tile of whole lines, or of as many tiles as are under way at a time.
int RowsUnderWay(int element_bytes) { return std::max(16, static_cast<int>(kLineBytes) / element_bytes); }

// Returns how many tiles follow each other along the rows, at most; then come those of the next columns. Long runs go
// along the side whose lines are further apart, and along the destination where all is in the level 1 cache. Where the
// lines that a tile writes share few sets of the cache, they displace each other before the ones beside them are
// written, so that runs go along the destination: not too far, lest the lines of the source are displaced.
int64_t RowTiles(const CopyTilesSpec& spec, const CopyDim& rows, const CopyDim& columns, int64_t bytes,
                 const Target& target) {
  constexpr int64_t kShortRun = 4;
  constexpr int64_t kMediumRun = 8;
  const int64_t tile_bytes = int64_t{spec.TileRows()} * spec.TileColumns() * spec.element_bytes;
  const int64_t long_run = std::max(kShortRun, kTransposeItemBytes / tile_bytes);
  if (bytes <= target.caches().l1_data) return long_run;
  const int lines = LinesPerSet(columns.destination_stride, RowsUnderWay(spec.element_bytes));
  if (lines > kCacheWays) return kMediumRun;
  if (columns.destination_stride > std::abs(rows.source_stride)) return long_run;
  // Lines that are written in halves have to stay for longer, and such as are near anyway cost little.
  const bool sensitive = !target.Supports(IsaLevel::kAvx512) || bytes <= target.caches().l2 / 2;
  return lines > (sensitive ? kCacheWays / 4 : kCacheWays / 2) ? kShortRun : 1;
}

// Returns whether tiles are better moved along strips by vectors of 256 bits: where lines that are written in halves
// stay in the cache, and vectors of 512 bits, if there are any, take two passes.
bool PrefersHalfLines(const CopyLayout& layout, const Target& target) {
  if (layout.bytes > target.caches().l1_data) return false;
  const Microarch& microarch = target.microarch();
  return !target.Supports(IsaLevel::kAvx512) || microarch.fma512_per_cycle < microarch.fma256_per_cycle;
}

int64_t Pieces(int64_t extent, int64_t step) { return (extent - 1) / step + 1; }

// Returns the code of a kernel of one family.
template <class Spec>
absl::StatusOr<CachedCode> GetCode(absl::string_view family, const Spec& spec,
                                   absl::StatusOr<CodeBlob> (*generate)(const Spec&, const IsaSet&),
                                   const Target& target, CodeCache& cache) {
  const IsaSet& isa = target.isa();
  return cache.GetOrGenerate(CodeKey::Of(family, isa, spec.ContentKey()), [&] { return generate(spec, isa); });
}

// Describes a movement of short records.
struct Records {
  CopyRecordsSpec spec;
  // Of the layout: the one along which records follow each other, and that of a record's elements.
  size_t record_dim = 0;
  std::optional<size_t> element_dim;
};

// Returns the largest power of two, at most that of a vector of 128 bits, of which all three are multiples.
int64_t CommonUnit(int64_t a, int64_t b, int64_t c) {
  constexpr int64_t kMostBytes = 16;
  const int64_t bits = a | b | c | kMostBytes;
  return bits & -bits;
}

// Returns a side whose records are `pitch` apart, and their elements `step`; nullopt where that is out of range.
std::optional<CopyRecordsSide> SideOf(const CopyRecordsSpec& spec, int64_t pitch, int64_t step) {
  constexpr int64_t kMostBytes = 4096;
  if (spec.count > 1 && pitch == spec.element_bytes) return CopyRecordsSide();
  if (pitch <= 0 || pitch > kMostBytes || std::abs(step) > kMostBytes) return std::nullopt;
  CopyRecordsSide side;
  side.pitch = static_cast<int>(pitch);
  side.step = static_cast<int>(step);
  return side;
}

// Returns the kernel for records along these dimensions; nullopt where they are not short enough, or too few.
std::optional<Records> RecordsOf(const CopyLayout& layout, size_t record_dim, std::optional<size_t> element_dim,
                                 const Target& target) {
  // Longer ones are moved as they are.
  constexpr int64_t kMostRecordBytes = 48;
  const CopyDim& records = layout.dims[record_dim];
  CopyDim elements = {1, layout.unit_bytes, layout.unit_bytes};
  if (element_dim.has_value()) elements = layout.dims[*element_dim];
  if (elements.extent * layout.unit_bytes > kMostRecordBytes) return std::nullopt;
  CopyRecordsSpec spec;
  spec.element_bytes = layout.unit_bytes;
  if (elements.source_stride == layout.unit_bytes && elements.destination_stride == layout.unit_bytes) {
    // Bytes that stay together are larger elements.
    const int64_t bytes = elements.extent * layout.unit_bytes;
    const int64_t unit = CommonUnit(bytes, records.source_stride, records.destination_stride);
    if (unit > layout.unit_bytes) {
      spec.element_bytes = static_cast<int>(unit);
      elements = {bytes / unit, unit, unit};
    }
  }
  spec.count = static_cast<int>(elements.extent);
  const std::optional<CopyRecordsSide> source = SideOf(spec, records.source_stride, elements.source_stride);
  const std::optional<CopyRecordsSide> destination =
      SideOf(spec, records.destination_stride, elements.destination_stride);
  if (!source.has_value() || !destination.has_value()) return std::nullopt;
  spec.source = *source;
  spec.destination = *destination;
  const auto contiguous = [&spec](const CopyRecordsSide& side) { return side.pitch == spec.element_bytes; };
  if (contiguous(spec.source) && contiguous(spec.destination)) return std::nullopt;
  if (records.extent < spec.RecordsAtOnce(target.isa()) || !spec.Fits(target.isa())) return std::nullopt;
  return Records{spec, record_dim, element_dim};
}

// Returns the kernel that moves the layout as short records; nullopt where it has none.
std::optional<Records> ChooseRecords(const CopyLayout& layout, const Target& target) {
  std::optional<Records> records;
  if (layout.dims.size() > 1) {
    records = RecordsOf(layout, 1, 0, target);
    if (!records.has_value()) records = RecordsOf(layout, 0, 1, target);
  }
  if (!records.has_value() && !layout.dims.empty()) records = RecordsOf(layout, 0, std::nullopt, target);
  return records;
}

// Returns the dimension along which the source is contiguous where that is not the first one; 0 where there is none.
size_t ColumnDim(const CopyLayout& layout) {
  for (size_t i = 1; i < layout.dims.size(); ++i) {
    if (layout.dims[i].source_stride == layout.unit_bytes) return i;
  }
  return 0;
}

// Returns the kernel that transposes such planes by way of scratch memory; nullopt where tiles are better, or blocks do
// not fit.
std::optional<CopyBlocksSpec> ChooseBlocks(const CopyLayout& layout, size_t column_dim, const Target& target) {
  const CopyDim& rows = layout.dims[0];
  const CopyDim& columns = layout.dims[column_dim];
  // Long runs are for the sake of memory, above all those that are written. Of small elements blocks have many, and are
  // shorter, so that two stay in the level 1 cache: unless they are written past the caches, where runs matter more.
  CopyBlocksSpec spec;
  spec.element_bytes = layout.unit_bytes;
  spec.nontemporal = columns.destination_stride % kLineBytes == 0 && CrowdsCaches(layout.bytes, target.caches());
  const bool small = layout.unit_bytes <= 2;
  spec.source_run_bytes = layout.unit_bytes == 1 || (small && !spec.nontemporal) ? 64 : 128;
  spec.destination_run_bytes = small && !spec.nontemporal ? 128 : 256;
  if (rows.extent < spec.BlockRows() || columns.extent < spec.BlockColumns()) return std::nullopt;
  if (spec.nontemporal) return spec;
  if (layout.bytes <= target.caches().l1_data) return std::nullopt;
  const int source_lines = LinesPerSet(rows.source_stride, RowsUnderWay(layout.unit_bytes));
  const int destination_lines = LinesPerSet(columns.destination_stride, RowsUnderWay(layout.unit_bytes));
  // Where those of one tile fill the ways on both sides, nothing else stays there.
  const int rows_of_tile = static_cast<int>(kLineBytes) / layout.unit_bytes;
  if (LinesPerSet(rows.source_stride, rows_of_tile) >= kCacheWays &&
      LinesPerSet(columns.destination_stride, rows_of_tile) >= kCacheWays) {
    return spec;
  }
  if (source_lines <= kCacheWays && destination_lines <= kCacheWays) return std::nullopt;
  if (target.Supports(IsaLevel::kAvx512)) {
    // A tile writes lines as a whole, and where it reads them once too, its lines may displace each other on one side.
    const bool reads_once = CopyInterleaver::PiecesAtOnce(layout.unit_bytes, 4, target.isa()) == 4;
    if (source_lines <= kCacheWays || (reads_once && destination_lines <= kCacheWays / 2)) return std::nullopt;
  }
  return spec;
}

// Returns the kernel that transposes planes of rows along the first dimension and columns along `column_dim`; nullopt
// where tiles do not fit.
std::optional<CopyTilesSpec> ChooseTiles(const CopyLayout& layout, size_t column_dim, const Target& target) {
  const CopyDim& rows = layout.dims[0];
  const CopyDim& columns = layout.dims[column_dim];
  CopyTilesSpec spec;
  spec.element_bytes = layout.unit_bytes;
  spec.shape = CopyTileShape::kLine;
  spec.half_lines = PrefersHalfLines(layout, target);
  spec.wide = columns.extent >= spec.TileColumns();
  if (columns.extent >= spec.TileColumns() && rows.extent >= spec.TileRows()) {
    return spec;
  }
  spec.wide = false;
  spec.half_lines = false;
  spec.shape = CopyTileShape::kSmall;
  // Of one element, a tile is no better than the element.
  if (layout.unit_bytes == 16) return std::nullopt;
  if (columns.extent >= spec.TileColumns() && rows.extent >= spec.TileRows()) return spec;
  if (!target.Supports(IsaLevel::kAvx512)) return std::nullopt;
  spec.shape = CopyTileShape::kMasked;
  spec.few_columns = columns.extent <= kFewColumns;
  return spec;
}

}  // namespace

absl::StatusOr<CopyPlan> CopyPlan::Create(const StridedCopySpec& spec, const Target& target, CodeCache& cache) {
  BURIN_ASSIGN_OR_RETURN(const CopyLayout layout, CopyLayout::From(spec));
  CopyPlan plan;
  plan.source_offset_ = layout.source_offset;
  plan.destination_offset_ = layout.destination_offset;
  if (layout.bytes == 0) return plan;
  if (const std::optional<Records> records = ChooseRecords(layout, target); records.has_value()) {
    BURIN_RETURN_IF_ERROR(
        plan.PlanRecords(layout, records->record_dim, records->element_dim, records->spec, target, cache));
    return plan;
  }
  const int64_t unit = layout.unit_bytes;
  const bool contiguous = layout.dims.empty() || layout.dims[0].destination_stride == unit;
  if (contiguous &&
      (layout.dims.empty() || layout.dims[0].source_stride == unit || layout.dims[0].source_stride == 0)) {
    BURIN_RETURN_IF_ERROR(plan.PlanRows(layout, target, cache));
    return plan;
  }
  if (const size_t column_dim = ColumnDim(layout); contiguous && column_dim > 0) {
    const std::optional<CopyBlocksSpec> blocks = ChooseBlocks(layout, column_dim, target);
    if (blocks.has_value()) {
      BURIN_RETURN_IF_ERROR(plan.PlanBlocks(layout, column_dim, *blocks, target, cache));
      return plan;
    }
    const std::optional<CopyTilesSpec> tiles = ChooseTiles(layout, column_dim, target);
    if (tiles.has_value()) {
      BURIN_RETURN_IF_ERROR(plan.PlanTiles(layout, column_dim, *tiles, target, cache));
      return plan;
    }
  }
  BURIN_RETURN_IF_ERROR(plan.PlanElements(layout, target, cache));
  return plan;
}

absl::Status CopyPlan::PlanRecords(const CopyLayout& layout, size_t record_dim, std::optional<size_t> element_dim,
                                   const CopyRecordsSpec& spec, const Target& target, CodeCache& cache) {
  BURIN_ASSIGN_OR_RETURN(code_, GetCode("copy_records", spec, &GenerateCopyRecords, target, cache));
  if (element_dim.has_value()) axes_[0].dim = layout.dims[*element_dim];
  axes_[0].step = axes_[0].dim.extent;
  axes_[1].dim = layout.dims[record_dim];
  std::vector<CopyDim> others;
  for (size_t i = 0; i < layout.dims.size(); ++i) {
    if (i != record_dim && i != element_dim) others.push_back(layout.dims[i]);
  }
  SetDims(2, others);
  CutAxes(1, axes_[0].dim.extent * layout.unit_bytes);
  const int64_t at_once = spec.RecordsAtOnce(target.isa());
  axes_[1].least = at_once;
  axes_[1].step = std::min(axes_[1].dim.extent, Pieces(axes_[1].step, at_once) * at_once);
  CountCalls({0, 1, 2}, layout.bytes);
  return absl::OkStatus();
}

absl::Status CopyPlan::PlanRows(const CopyLayout& layout, const Target& target, CodeCache& cache) {
  CopyDim row{layout.unit_bytes, 1, 1};
  CopyRowsSpec spec;
  absl::Span<const CopyDim> others = layout.dims;
  if (!layout.dims.empty()) {
    row.extent *= layout.dims[0].extent;
    if (layout.dims[0].source_stride == 0) {
      spec.fill_bytes = layout.unit_bytes;
      row.source_stride = 0;
    }
    others.remove_prefix(1);
  }
  nontemporal_ = ExceedsCaches(layout.bytes, target.caches());
  spec.nontemporal = nontemporal_;
  BURIN_ASSIGN_OR_RETURN(code_, GetCode("copy_rows", spec, &GenerateCopyRows, target, cache));
  axes_[0].dim = row;
  SetDims(1, others);
  if (row.extent > kItemBytes) {
    // Lines are not shared by pieces where the row is aligned.
    const int64_t pieces = Pieces(row.extent, kItemBytes);
    axes_[0].step = Pieces(Pieces(row.extent, pieces), kLineBytes) * kLineBytes;
  } else {
    axes_[0].step = row.extent;
    CutAxes(1, row.extent);
  }
  CountCalls({0, 1, 2}, layout.bytes);
  return absl::OkStatus();
}

absl::Status CopyPlan::PlanElements(const CopyLayout& layout, const Target& target, CodeCache& cache) {
  const CopyElementsSpec spec{layout.unit_bytes};
  BURIN_ASSIGN_OR_RETURN(code_, GetCode("copy_elements", spec, &GenerateCopyElements, target, cache));
  std::vector<CopyDim> dims = layout.dims;
  if (dims.size() > 1 && dims[0].extent < kShortLoop && dims[1].extent > dims[0].extent) std::swap(dims[0], dims[1]);
  SetDims(0, dims);
  CutAxes(0, layout.unit_bytes);
  CountCalls({0, 1, 2}, layout.bytes);
  return absl::OkStatus();
}

absl::Status CopyPlan::PlanBlocks(const CopyLayout& layout, size_t column_dim, const CopyBlocksSpec& spec,
                                  const Target& target, CodeCache& cache) {
  BURIN_ASSIGN_OR_RETURN(code_, GetCode("copy_blocks", spec, &GenerateCopyBlocks, target, cache));
  nontemporal_ = spec.nontemporal;
  uses_scratch_ = true;
  SetPlanes(layout, column_dim);
  // Calls go along the source, where the next block is fetched early.
  const int64_t block_bytes = int64_t{spec.BlockRows()} * spec.source_run_bytes;
  const int64_t item_bytes = std::clamp(layout.bytes / kBlocksItems, kTransposeItemBytes, kBlocksItemBytes);
  const int64_t blocks = std::max<int64_t>(1, item_bytes / block_bytes);
  axes_[0].least = spec.BlockRows();
  axes_[1].least = spec.BlockColumns();
  axes_[0].step = spec.BlockRows();
  axes_[1].step = std::min<int64_t>(blocks * spec.BlockColumns(), axes_[1].dim.extent);
  if (axes_[0].step >= axes_[0].dim.extent && axes_[1].step == axes_[1].dim.extent) {
    CutAxes(2, axes_[0].dim.extent * axes_[1].step * layout.unit_bytes);
  }
  CountCalls({1, 0, 2}, layout.bytes);
  return absl::OkStatus();
}

absl::Status CopyPlan::PlanTiles(const CopyLayout& layout, size_t column_dim, const CopyTilesSpec& spec,
                                 const Target& target, CodeCache& cache) {
  BURIN_ASSIGN_OR_RETURN(code_, GetCode("copy_tiles", spec, &GenerateCopyTiles, target, cache));
  SetPlanes(layout, column_dim);
  const int64_t tile_bytes = int64_t{spec.TileRows()} * spec.TileColumns() * layout.unit_bytes;
  const bool masked = spec.shape == CopyTileShape::kMasked;
  axes_[0].least = masked ? 1 : spec.TileRows();
  axes_[1].least = masked ? 1 : spec.TileColumns();
  const int64_t row_tiles = std::min(Pieces(axes_[0].dim.extent, spec.TileRows()),
                                     RowTiles(spec, axes_[0].dim, axes_[1].dim, layout.bytes, target));
  const int64_t column_tiles = std::max<int64_t>(1, kTransposeItemBytes / (tile_bytes * row_tiles));
  axes_[0].step = std::min<int64_t>(row_tiles * spec.TileRows(), axes_[0].dim.extent);
  axes_[1].step = std::min<int64_t>(column_tiles * spec.TileColumns(), axes_[1].dim.extent);
  if (axes_[0].step == axes_[0].dim.extent && axes_[1].step == axes_[1].dim.extent) {
    CutAxes(2, axes_[0].step * axes_[1].step * layout.unit_bytes);
  }
  CountCalls({1, 0, 2}, layout.bytes);
  return absl::OkStatus();
}

void CopyPlan::SetPlanes(const CopyLayout& layout, size_t column_dim) {
  std::vector<CopyDim> dims = layout.dims;
  axes_[0].dim = dims[0];
  axes_[1].dim = dims[column_dim];
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(column_dim));
  dims.erase(dims.begin());
  SetDims(2, dims);
}

void CopyPlan::SetDims(int first_axis, absl::Span<const CopyDim> dims) {
  for (const CopyDim& dim : dims) {
    if (first_axis < static_cast<int>(axes_.size())) {
      axes_[static_cast<size_t>(first_axis++)].dim = dim;
    } else {
      digits_.push_back({dim.extent, -1, dim.source_stride, dim.destination_stride});
    }
  }
}

void CopyPlan::CutAxes(int first_axis, int64_t bytes) {
  for (size_t i = static_cast<size_t>(first_axis); i < axes_.size(); ++i) {
    Axis& axis = axes_[i];
    const int64_t most = std::max<int64_t>(1, kItemBytes / bytes);
    if (axis.dim.extent > most) {
      axis.step = Pieces(axis.dim.extent, Pieces(axis.dim.extent, most));
      return;
    }
    axis.step = axis.dim.extent;
    bytes *= axis.dim.extent;
  }
}

void CopyPlan::CountCalls(const std::array<int, 3>& axes, int64_t total_bytes) {
  std::vector<Digit> digits;
  for (const int axis : axes) {
    const Axis& cut = axes_[static_cast<size_t>(axis)];
    digits.push_back({Pieces(cut.dim.extent, cut.step), axis, 0, 0});
  }
  digits.insert(digits.end(), digits_.begin(), digits_.end());
  digits.erase(std::remove_if(digits.begin(), digits.end(), [](const Digit& digit) { return digit.count == 1; }),
               digits.end());
  digits_ = std::move(digits);
  calls_ = 1;
  for (const Digit& digit : digits_) calls_ *= digit.count;
  calls_per_item_ = std::clamp<int64_t>(kItemBytes / Pieces(total_bytes, calls_), 1, calls_);
  work_items_ = Pieces(calls_, calls_per_item_);
}

void CopyPlan::SetCall(int64_t call, CopyArgs& args) const {
  std::array<int64_t, 3> extents = {axes_[0].dim.extent, axes_[1].dim.extent, axes_[2].dim.extent};
  int64_t source = source_offset_;
  int64_t destination = destination_offset_;
  for (const Digit& digit : digits_) {
    const int64_t value = call % digit.count;
    call /= digit.count;
    if (digit.axis < 0) {
      source += value * digit.source_stride;
      destination += value * digit.destination_stride;
      continue;
    }
    const size_t index = static_cast<size_t>(digit.axis);
    const Axis& axis = axes_[index];
    int64_t start = value * axis.step;
    if (axis.dim.extent - start < axis.least) start = axis.dim.extent - axis.least;
    extents[index] = std::min(axis.step, axis.dim.extent - start);
    source += start * axis.dim.source_stride;
    destination += start * axis.dim.destination_stride;
  }
  args.source += source;
  args.destination += destination;
  args.extent0 = extents[0];
  args.extent1 = extents[1];
  args.extent2 = extents[2];
}

void CopyPlan::Run(const void* source, void* destination, int64_t begin, int64_t end) const {
  BURIN_DCHECK(0 <= begin && begin <= end && end <= work_items_) << "items out of range: " << begin << " to " << end;
  if (begin >= end) return;
  if (uses_scratch_) return RunWithScratch(source, destination, begin, end);
  RunCalls(source, destination, begin, end, nullptr);
}

// Apart from the others, which do not touch so much of the stack.
__attribute__((noinline)) void CopyPlan::RunWithScratch(const void* source, void* destination, int64_t begin,
                                                        int64_t end) const {
  alignas(kLineBytes) uint8_t scratch[kCopyScratchBytes];
  RunCalls(source, destination, begin, end, scratch);
}

void CopyPlan::RunCalls(const void* source, void* destination, int64_t begin, int64_t end, uint8_t* scratch) const {
  CopyArgs args = {};
  args.source_stride0 = axes_[0].dim.source_stride;
  args.source_stride1 = axes_[1].dim.source_stride;
  args.source_stride2 = axes_[2].dim.source_stride;
  args.destination_stride0 = axes_[0].dim.destination_stride;
  args.destination_stride1 = axes_[1].dim.destination_stride;
  args.destination_stride2 = axes_[2].dim.destination_stride;
  args.scratch = scratch;
  const auto kernel = code_->entry<void (*)(const CopyArgs*)>();
  const int64_t last = std::min(end * calls_per_item_, calls_);
  for (int64_t call = begin * calls_per_item_; call < last; ++call) {
    args.source = static_cast<const uint8_t*>(source);
    args.destination = static_cast<uint8_t*>(destination);
    SetCall(call, args);
    kernel(&args);
  }
  // Makes what was written past the caches visible before whatever this thread does next.
  if (nontemporal_) _mm_sfence();
}

absl::string_view CopyPlan::kernel_name() const {
  return code_ ? absl::string_view(code_->name()) : absl::string_view();
}

}  // namespace burin::jit

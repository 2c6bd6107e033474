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
#include "jit/kernels/copy_elements.h"
#include "jit/kernels/copy_rows.h"
#include "jit/kernels/copy_tiles.h"

namespace burin::jit {
namespace {

// What one work item moves, about: enough that a call costs nothing, and no more than a level 1 cache.
constexpr int64_t kItemBytes = 32 << 10;

// The same of a transpose, whose items begin with lines that are far from each other.
constexpr int64_t kTransposeItemBytes = 64 << 10;

constexpr int64_t kLineBytes = 64;

// The sets of a level 1 cache: those of 32 KiB with 8 ways, and of 48 KiB with 12.
constexpr int64_t kCacheSets = 64;

// The ways of the smaller one.
constexpr int kCacheWays = 8;

// A cache keeps no more than this of what one thread writes.
constexpr int64_t kMaxCachedBytes = 32 << 20;

// Inner loops below this length are left to a longer one.
constexpr int64_t kShortLoop = 8;

// Returns whether writing `bytes` past the caches is faster than into them, where each line would first be read.
bool ExceedsCaches(int64_t bytes, const CacheSizes& caches) {
  return bytes > std::min(std::max(caches.l3_share, caches.l2), kMaxCachedBytes);
}

// Returns the most lines of `rows` rows at this stride that share a set of the level 1 cache.
int LinesPerSet(int64_t stride, int rows) {
  std::array<int, kCacheSets> lines = {};
  for (int row = 0; row < rows; ++row) {
    ++lines[static_cast<uint64_t>(row) * static_cast<uint64_t>(stride) / kLineBytes % kCacheSets];
  }
  return *std::max_element(lines.begin(), lines.end());
}

// Returns how many tiles follow each other along the rows, at most; then come those of the next columns. Long runs go
// along the side whose lines are further apart. Where the lines that a tile writes share few sets of the cache, they
// displace each other before the ones beside them are written, so that runs go along the destination.
int64_t RowTiles(const CopyTilesSpec& spec, int64_t source_stride, int64_t destination_stride) {
  constexpr int kFewLines = 2;
  constexpr int64_t kShortRun = 4;
  const int64_t tile_bytes = int64_t{spec.TileRows()} * spec.TileColumns() * spec.element_bytes;
  const int64_t long_run = std::max(kShortRun, kTransposeItemBytes / tile_bytes);
  const int lines = LinesPerSet(destination_stride, static_cast<int>(kLineBytes) / spec.element_bytes);
  if (destination_stride > std::abs(source_stride) || lines > kCacheWays) return long_run;
  return lines > kFewLines ? kShortRun : 1;
}

// Returns whether interleaving by 512 bits would cost more than moving lines in and out: for small elements, which take
// more rounds, and where lines that are written in halves stay in the cache.
bool InterleavingDominates(const CopyLayout& layout, int64_t destination_stride, const Target& target) {
  constexpr int kPieceColumns = 16;
  constexpr int kFewLines = 2;
  if (!target.Supports(IsaLevel::kAvx512) || layout.unit_bytes > 2) return false;
  if (layout.unit_bytes == 2 && layout.bytes > target.caches().l1_data / 2) return false;
  return destination_stride % kLineBytes == 0 && LinesPerSet(destination_stride, kPieceColumns) <= kFewLines;
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

// Returns the dimension along which the source is contiguous where that is not the first one; 0 where there is none.
size_t ColumnDim(const CopyLayout& layout) {
  for (size_t i = 1; i < layout.dims.size(); ++i) {
    if (layout.dims[i].source_stride == layout.unit_bytes) return i;
  }
  return 0;
}

// Returns the kernel that transposes planes of rows along the first dimension and columns along `column_dim`; nullopt
// where tiles do not fit.
std::optional<CopyTilesSpec> ChooseTiles(const CopyLayout& layout, size_t column_dim, const Target& target) {
  const CopyDim& rows = layout.dims[0];
  const CopyDim& columns = layout.dims[column_dim];
  CopyTilesSpec spec;
  spec.element_bytes = layout.unit_bytes;
  spec.shape = CopyTileShape::kLine;
  spec.half_lines = InterleavingDominates(layout, columns.destination_stride, target);
  spec.wide = columns.extent >= spec.TileColumns();
  if (columns.extent >= spec.TileColumns() && rows.extent >= spec.TileRows()) {
    spec.staged = spec.wide && !ReadsLinesOnce(layout.unit_bytes, target.isa()) &&
                  LinesPerSet(rows.source_stride, spec.TileRows()) > kCacheWays;
    if (spec.staged) spec.half_lines = false;
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
  const int64_t unit = layout.unit_bytes;
  const bool contiguous = layout.dims.empty() || layout.dims[0].destination_stride == unit;
  if (contiguous &&
      (layout.dims.empty() || layout.dims[0].source_stride == unit || layout.dims[0].source_stride == 0)) {
    BURIN_RETURN_IF_ERROR(plan.PlanRows(layout, target, cache));
    return plan;
  }
  if (const size_t column_dim = ColumnDim(layout); contiguous && column_dim > 0) {
    const std::optional<CopyTilesSpec> tiles = ChooseTiles(layout, column_dim, target);
    if (tiles.has_value()) {
      BURIN_RETURN_IF_ERROR(plan.PlanTiles(layout, column_dim, *tiles, target, cache));
      return plan;
    }
  }
  BURIN_RETURN_IF_ERROR(plan.PlanElements(layout, target, cache));
  return plan;
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

absl::Status CopyPlan::PlanTiles(const CopyLayout& layout, size_t column_dim, const CopyTilesSpec& spec,
                                 const Target& target, CodeCache& cache) {
  BURIN_ASSIGN_OR_RETURN(code_, GetCode("copy_tiles", spec, &GenerateCopyTiles, target, cache));
  std::vector<CopyDim> dims = layout.dims;
  axes_[0].dim = dims[0];
  axes_[1].dim = dims[column_dim];
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(column_dim));
  dims.erase(dims.begin());
  SetDims(2, dims);
  const int64_t tile_bytes = int64_t{spec.TileRows()} * spec.TileColumns() * layout.unit_bytes;
  const bool masked = spec.shape == CopyTileShape::kMasked;
  axes_[0].least = masked ? 1 : spec.TileRows();
  axes_[1].least = masked ? 1 : spec.TileColumns();
  const int64_t row_tiles = std::min(Pieces(axes_[0].dim.extent, spec.TileRows()),
                                     RowTiles(spec, axes_[0].dim.source_stride, axes_[1].dim.destination_stride));
  const int64_t column_tiles = std::max<int64_t>(1, kTransposeItemBytes / (tile_bytes * row_tiles));
  axes_[0].step = std::min<int64_t>(row_tiles * spec.TileRows(), axes_[0].dim.extent);
  axes_[1].step = std::min<int64_t>(column_tiles * spec.TileColumns(), axes_[1].dim.extent);
  if (axes_[0].step == axes_[0].dim.extent && axes_[1].step == axes_[1].dim.extent) {
    CutAxes(2, axes_[0].step * axes_[1].step * layout.unit_bytes);
  }
  CountCalls({1, 0, 2}, layout.bytes);
  return absl::OkStatus();
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
  alignas(kLineBytes) uint8_t scratch[kCopyScratchBytes];
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

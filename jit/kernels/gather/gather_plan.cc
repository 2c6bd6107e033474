#include "jit/kernels/gather/gather_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/byte_span.h"
#include "base/status_macros.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/microarch.h"

namespace burin::jit {
namespace {

// What a work item moves at least, where there is so much.
constexpr int64_t kItemBytes = 64 << 10;

// Rows fetched ahead: at some ten cycles for the shortest, enough for the latency of memory.
constexpr int kPrefetchRows = 16;

// Longer rows are fetched ahead by fewer rows: so many bytes are on their way.
constexpr int64_t kPrefetchBytes = 4096;

// Of rows from here on the processor itself foresees most.
constexpr int64_t kMaxPrefetchedRowBytes = 16 << 10;

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

absl::Status CheckNotNegative(const char* field, int64_t value) {
  if (value >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("A field of a gathering is negative: ", field, " is ", value));
}

int64_t MovedBytes(const GatherSpec& spec) { return spec.batch * spec.outer * spec.count * spec.row_bytes; }

int64_t SourceBytes(const GatherSpec& spec) { return spec.batch * spec.outer * spec.extent * spec.row_bytes; }

}  // namespace

void GatherSpec::SetDenseStrides() {
  source_stride = destination_stride = row_bytes;
  source_outer_stride = extent * row_bytes;
  destination_outer_stride = count * row_bytes;
  source_batch_stride = outer * source_outer_stride;
  destination_batch_stride = outer * destination_outer_stride;
  index_batch_stride = count * (index_type == ElementType::kI32 ? 4 : 8);
}

absl::Status GatherSpec::Validate() const {
  if (row_bytes < 1) {
    return absl::InvalidArgumentError(absl::StrCat("The rows of a gathering have no bytes: row_bytes is ", row_bytes));
  }
  if (index_type != ElementType::kI32 && index_type != ElementType::kI64) {
    return absl::InvalidArgumentError(
        absl::StrCat("The indices of a gathering are i32 or i64: not ", Name(index_type)));
  }
  BURIN_RETURN_IF_ERROR(CheckNotNegative("batch", batch));
  BURIN_RETURN_IF_ERROR(CheckNotNegative("outer", outer));
  BURIN_RETURN_IF_ERROR(CheckNotNegative("count", count));
  BURIN_RETURN_IF_ERROR(CheckNotNegative("extent", extent));
  if (batch == 0 || outer == 0 || count == 0) return absl::OkStatus();
  if ((batch > 1 && destination_batch_stride == 0) || (outer > 1 && destination_outer_stride == 0) ||
      (count > 1 && destination_stride == 0)) {
    return absl::InvalidArgumentError("A gathering writes its destination more than once: a stride of it is 0");
  }
  int64_t source = row_bytes;
  int64_t destination = row_bytes;
  int64_t index = 8;
  int64_t moved = row_bytes;
  int64_t held = row_bytes;
  bool fits = row_bytes < kMaxSpanBytes && AddSpan(batch, source_batch_stride, source) &&
              AddSpan(outer, source_outer_stride, source) && AddSpan(extent, source_stride, source) &&
              AddSpan(batch, destination_batch_stride, destination) &&
              AddSpan(outer, destination_outer_stride, destination) &&
              AddSpan(count, destination_stride, destination) && AddSpan(batch, index_batch_stride, index) &&
              AddSpan(count, 8, index);
  for (const int64_t size : {batch, outer}) {
    fits = fits && !__builtin_mul_overflow(moved, size, &moved) && !__builtin_mul_overflow(held, size, &held);
  }
  fits = fits && !__builtin_mul_overflow(moved, count, &moved) && !__builtin_mul_overflow(held, extent, &held) &&
         moved < kMaxSpanBytes && held < kMaxSpanBytes;
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError("The tensors of a gathering span 2^62 bytes or more");
}

GatherPlan GatherPlan::Make(const GatherSpec& spec, const Target& target) {
  GatherPlan plan;
  plan.code.row_bytes = spec.row_bytes;
  plan.code.index_bytes = spec.index_type == ElementType::kI32 ? 4 : 8;
  // Rows of the second cache are near enough for what the processor runs ahead by itself.
  if (SourceBytes(spec) > target.caches().l2 && spec.row_bytes < kMaxPrefetchedRowBytes) {
    plan.code.prefetch_rows =
        static_cast<int>(std::min<int64_t>(kPrefetchRows, std::max<int64_t>(1, kPrefetchBytes / spec.row_bytes)));
  }
  if (spec.count == 0) return plan;
  plan.count_per_item = std::min(spec.count, std::max<int64_t>(1, kItemBytes / spec.row_bytes));
  if (plan.count_per_item == spec.count) {
    const int64_t bytes = spec.count * spec.row_bytes;
    plan.outer_per_item = std::max<int64_t>(1, std::min(spec.outer, kItemBytes / bytes));
  }
  return plan;
}

int64_t GatherPlan::WorkItems(const GatherSpec& spec) const {
  if (spec.batch == 0 || spec.outer == 0 || spec.count == 0) return 0;
  return spec.batch * CeilDiv(spec.outer, outer_per_item) * CeilDiv(spec.count, count_per_item);
}

double EstimateGatherCycles(const GatherSpec& spec, const Target& target) {
  constexpr double kCyclesPerRow = 4;
  constexpr double kFirstLevel = 32;
  const CacheSizes& caches = target.caches();
  const Microarch& microarch = target.microarch();
  const int64_t moved = MovedBytes(spec);
  const int64_t held = std::min(SourceBytes(spec), moved) + moved;
  const double rate = held <= caches.l1_data    ? kFirstLevel
                      : held <= caches.l2       ? microarch.l2_bytes_per_cycle
                      : held <= caches.l3_share ? microarch.l3_bytes_per_cycle
                                                : microarch.dram_bytes_per_cycle;
  const double rows = static_cast<double>(moved) / static_cast<double>(spec.row_bytes);
  // A row is read, and its place in the destination read and written; reads are of whole lines.
  const double line = static_cast<double>(std::max<int64_t>(spec.row_bytes, caches.line));
  return std::max(rows * kCyclesPerRow, (rows * line + 2 * static_cast<double>(moved)) / rate);
}

}  // namespace burin::jit

#include "jit/kernels/cumulative/cumulative_plan.h"
#include "base/byte_span.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {
namespace {

// What a work item reads at least, where there is so much.
constexpr int64_t kItemBytes = 64 << 10;

// Pieces of the inner elements are multiples of these: the vectors that are added up side by side.
constexpr int64_t kInnerBytes = 512;

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

}  // namespace

void CumulativeSpec::SetDenseStrides() {
  source_stride = destination_stride = inner * BitWidth(type) / 8;
  source_outer_stride = destination_outer_stride = length * source_stride;
}

absl::Status CumulativeSpec::Validate() const {
  if (!(IsFloat(type) || IsInteger(type)) || (BitWidth(type) != 32 && BitWidth(type) != 64)) {
    return absl::UnimplementedError(absl::StrCat("Running sums of elements of type ", Name(type)));
  }
  if (outer < 0 || length < 0 || inner < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("Running sums of a negative size: outer ", outer, ", length ", length, ", inner ", inner));
  }
  int64_t source = 8;
  int64_t destination = 8;
  int64_t bytes = 8;
  bool fits = AddSpan(outer, source_outer_stride, source) && AddSpan(length, source_stride, source) &&
              AddSpan(inner, 8, source) && AddSpan(outer, destination_outer_stride, destination) &&
              AddSpan(length, destination_stride, destination) && AddSpan(inner, 8, destination);
  for (const int64_t size : {outer, length, inner}) fits = fits && !__builtin_mul_overflow(bytes, size, &bytes);
  if (!fits || bytes >= kMaxSpanBytes) {
    return absl::InvalidArgumentError("The tensors of running sums span 2^62 bytes or more");
  }
  if (inner == 1 && length > 1 && (source_stride != BitWidth(type) / 8 || destination_stride != BitWidth(type) / 8)) {
    return absl::InvalidArgumentError(
        absl::StrCat("Running sums along a row whose elements do not lie side by side: source_stride ", source_stride,
                     ", destination_stride ", destination_stride));
  }
  return absl::OkStatus();
}

CumulativePlan CumulativePlan::Make(const CumulativeSpec& spec, const Target&) {
  CumulativePlan plan;
  plan.code.type = spec.type;
  plan.code.exclusive = spec.exclusive;
  plan.code.along_row = spec.inner == 1;
  plan.code.reverse = plan.code.along_row && spec.reverse;
  const int64_t element_bytes = BitWidth(spec.type) / 8;
  const int64_t length_bytes = std::max<int64_t>(1, spec.length * element_bytes);
  plan.inner_per_item = std::max<int64_t>(1, spec.inner);
  if (plan.code.along_row || spec.inner * length_bytes < 2 * kItemBytes) {
    plan.outer_per_item = std::max<int64_t>(1, kItemBytes / (length_bytes * plan.inner_per_item));
  } else {
    const int64_t unit = kInnerBytes / element_bytes;
    plan.inner_per_item = std::min(spec.inner, std::max<int64_t>(1, kItemBytes / length_bytes / unit) * unit);
  }
  return plan;
}

int64_t CumulativePlan::WorkItems(const CumulativeSpec& spec) const {
  if (spec.outer == 0 || spec.length == 0 || spec.inner == 0) return 0;
  return CeilDiv(spec.outer, outer_per_item) * CeilDiv(spec.inner, inner_per_item);
}

double EstimateCumulativeCycles(const CumulativeSpec& spec, const Target& target) {
  constexpr double kFirstLevel = 32;
  // Of a vector along a row, and the latency of an addition.
  constexpr double kCyclesPerVector = 16;
  constexpr double kLatency = 4;
  const CacheSizes& caches = target.caches();
  const Microarch& microarch = target.microarch();
  const double vector_bytes = target.Supports(IsaLevel::kAvx512) ? 64 : 32;
  const int64_t bytes = spec.outer * spec.length * spec.inner * BitWidth(spec.type) / 8;
  const double rate = 2 * bytes <= caches.l1_data    ? kFirstLevel
                      : 2 * bytes <= caches.l2       ? microarch.l2_bytes_per_cycle
                      : 2 * bytes <= caches.l3_share ? microarch.l3_bytes_per_cycle
                                                     : microarch.dram_bytes_per_cycle;
  const double vectors = static_cast<double>(bytes) / vector_bytes;
  const double compute = spec.inner == 1 ? vectors * kCyclesPerVector
                                         : std::max(vectors, kLatency * static_cast<double>(spec.outer * spec.length));
  return std::max(compute, 3 * static_cast<double>(bytes) / rate);
}

}  // namespace burin::jit

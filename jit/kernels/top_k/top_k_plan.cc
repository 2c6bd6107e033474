#include "jit/kernels/top_k/top_k_plan.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/byte_span.h"
#include "base/status_macros.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {
namespace {

constexpr int64_t kElementBytes = 4;

// What a work item reads at least, where there is so much.
constexpr int64_t kItemBytes = 64 << 10;

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

int64_t LanesOf(const Target& target) { return target.Supports(IsaLevel::kAvx512) ? 16 : 8; }

absl::Status CheckTypes(const TopKSpec& spec) {
  if (spec.type != ElementType::kF32 && spec.type != ElementType::kI32) {
    return absl::UnimplementedError(absl::StrCat("A selection of elements of type ", Name(spec.type)));
  }
  if (spec.index_type != ElementType::kI32 && spec.index_type != ElementType::kI64) {
    return absl::InvalidArgumentError(
        absl::StrCat("The indices of a selection are i32 or i64: not ", Name(spec.index_type)));
  }
  return absl::OkStatus();
}

absl::Status CheckSpans(const TopKSpec& spec) {
  int64_t source = 8;
  int64_t destination = 8;
  int64_t bytes = 8;
  bool fits = AddSpan(spec.outer, spec.source_outer_stride, source) &&
              AddSpan(spec.length, spec.source_stride, source) && AddSpan(spec.inner, kElementBytes, source) &&
              AddSpan(spec.outer, spec.destination_outer_stride, destination) &&
              AddSpan(spec.k, spec.destination_stride, destination) && AddSpan(spec.inner, kElementBytes, destination);
  for (const int64_t size : {spec.outer, spec.length, spec.inner}) {
    fits = fits && !__builtin_mul_overflow(bytes, size, &bytes);
  }
  if (fits && bytes < kMaxSpanBytes) return absl::OkStatus();
  return absl::InvalidArgumentError("The tensors of a selection span 2^62 bytes or more");
}

}  // namespace

void TopKSpec::SetDenseStrides() {
  source_stride = destination_stride = inner * kElementBytes;
  source_outer_stride = length * source_stride;
  destination_outer_stride = k * destination_stride;
}

absl::Status TopKSpec::Validate() const {
  BURIN_RETURN_IF_ERROR(CheckTypes(*this));
  if (outer < 0 || length < 0 || inner < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("A selection of a negative size: outer ", outer, ", length ", length, ", inner ", inner));
  }
  if (k < 0 || k > length) {
    return absl::InvalidArgumentError(
        absl::StrCat("A selection of more elements than there are: k ", k, ", length ", length));
  }
  if (k > kMaxK) {
    return absl::UnimplementedError(absl::StrCat("A selection of more than ", kMaxK, " elements: k is ", k));
  }
  if (length > INT32_MAX) {
    return absl::UnimplementedError(absl::StrCat("A selection from 2^31 elements or more: length ", length));
  }
  BURIN_RETURN_IF_ERROR(CheckSpans(*this));
  if (inner == 1 && length > 1 && source_stride != kElementBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("A selection along a row whose elements do not lie side by side: source_stride ", source_stride));
  }
  return absl::OkStatus();
}

TopKPlan TopKPlan::Make(const TopKSpec& spec, const Target& target) {
  TopKPlan plan;
  plan.code = {spec.type, spec.smallest, spec.inner == 1, spec.inner > 1 && spec.k == 1};
  const int64_t length_bytes = std::max<int64_t>(1, spec.length * kElementBytes);
  plan.inner_per_item = std::max<int64_t>(1, spec.inner);
  if (plan.code.along_row || spec.inner * length_bytes < 2 * kItemBytes) {
    plan.outer_per_item = std::max<int64_t>(1, kItemBytes / (length_bytes * plan.inner_per_item));
  } else {
    const int64_t lanes = LanesOf(target) * (plan.code.is_single ? kSingleVectors : 1);
    plan.inner_per_item = std::min(spec.inner, std::max<int64_t>(1, kItemBytes / length_bytes / lanes) * lanes);
  }
  return plan;
}

int64_t TopKPlan::WorkItems(const TopKSpec& spec) const {
  if (spec.outer == 0 || spec.k == 0 || spec.inner == 0) return 0;
  return CeilDiv(spec.outer, outer_per_item) * CeilDiv(spec.inner, inner_per_item);
}

double EstimateTopKCycles(const TopKSpec& spec, const Target& target) {
  // Of a vector that is compared, of an element that is inserted in a list and of each that it passes there.
  constexpr double kCyclesPerVector = 5;
  constexpr double kCyclesPerInsertion = 30;
  constexpr double kCyclesPerPlace = 1;
  constexpr double kFirstLevel = 64;
  const CacheSizes& caches = target.caches();
  const Microarch& microarch = target.microarch();
  const double k = static_cast<double>(spec.k);
  const double length = static_cast<double>(std::max<int64_t>(spec.length, 1));
  const double lanes = static_cast<double>(LanesOf(target));
  const int64_t bytes = spec.outer * spec.length * spec.inner * kElementBytes;
  const double rate = bytes <= caches.l1_data    ? kFirstLevel
                      : bytes <= caches.l2       ? microarch.l2_bytes_per_cycle
                      : bytes <= caches.l3_share ? microarch.l3_bytes_per_cycle
                                                 : microarch.dram_bytes_per_cycle;
  // Element i is among the k best so far with the probability k / i.
  const double insertions = k == 0 ? 0 : k * (1 + std::log(length / k));
  const double lists = static_cast<double>(spec.outer * spec.inner);
  const double vectors = static_cast<double>(bytes) / kElementBytes / lanes;
  // Of vectors of lists, one that changes costs all of them.
  const double changes = spec.inner == 1 ? insertions * lists : std::min(vectors, insertions * lists);
  const double places = spec.inner == 1 ? k / 2 * kCyclesPerPlace : k * 6 * kCyclesPerPlace;
  if (spec.inner > 1 && spec.k == 1) return std::max(vectors * kCyclesPerVector, static_cast<double>(bytes) / rate);
  const double compute = vectors * kCyclesPerVector + changes * (kCyclesPerInsertion + places);
  return std::max(compute, static_cast<double>(bytes) / rate);
}

}  // namespace burin::jit

#include "jit/kernels/top_k/top_k.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/top_k/top_k_args.h"
#include "jit/kernels/top_k/top_k_code.h"

namespace burin::jit {
namespace {

constexpr int64_t kElementBytes = 4;

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

}  // namespace

absl::StatusOr<TopKKernel> TopKKernel::Create(const TopKSpec& spec, const Target& target, CodeCache& cache) {
  BURIN_RETURN_IF_ERROR(spec.Validate());
  TopKKernel kernel(spec);
  kernel.plan_ = TopKPlan::Make(spec, target);
  kernel.work_items_ = kernel.plan_.WorkItems(spec);
  if (kernel.work_items_ == 0) return kernel;
  kernel.lanes_ = target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes;
  const TopKCodeSpec& code = kernel.plan_.code;
  BURIN_ASSIGN_OR_RETURN(kernel.code_, cache.GetOrGenerate(CodeKey::Of("top_k", target.isa(), code.ContentKey()),
                                                           [&] { return GenerateTopK(code, target); }));
  return kernel;
}

absl::string_view TopKKernel::kernel_name() const { return code_ ? code_->name() : absl::string_view(); }

void TopKKernel::Run(const void* source, void* values, void* indices, int64_t begin, int64_t end) const {
  BURIN_DCHECK(begin >= 0 && begin <= end && end <= work_items_);
  const int64_t inner_pieces = CeilDiv(std::max<int64_t>(1, spec_.inner), plan_.inner_per_item);
  for (int64_t item = begin; item < end; ++item) {
    const int64_t first_inner = item % inner_pieces * plan_.inner_per_item;
    const int64_t last_inner = std::min(spec_.inner, first_inner + plan_.inner_per_item);
    const int64_t first_outer = item / inner_pieces * plan_.outer_per_item;
    const int64_t last_outer = std::min(spec_.outer, first_outer + plan_.outer_per_item);
    for (int64_t outer = first_outer; outer < last_outer; ++outer) {
      const uint8_t* const from = static_cast<const uint8_t*>(source) + outer * spec_.source_outer_stride;
      const int64_t offset = outer * spec_.destination_outer_stride;
      if (plan_.code.along_row) {
        SelectFromRow(from, values, indices, offset);
        continue;
      }
      int64_t count = 0;
      for (int64_t inner = first_inner; inner < last_inner; inner += count) {
        count = lanes_ * (plan_.code.is_single ? kSingleVectors : 1);
        if (count > last_inner - inner) count = std::min(lanes_, last_inner - inner);
        SelectSideBySide(from + inner * kElementBytes, count, values, indices, offset + inner * kElementBytes);
      }
    }
  }
}

void TopKKernel::SelectFromRow(const uint8_t* source, void* values, void* indices, int64_t offset) const {
  std::array<int64_t, TopKSpec::kMaxK> selected;
  std::array<int32_t, TopKSpec::kMaxK> places;
  const TopKRowArgs args = {source, spec_.length, spec_.k, selected.data()};
  code_->entry<void (*)(const TopKRowArgs*)>()(&args);
  for (size_t i = 0; i < static_cast<size_t>(spec_.k); ++i) {
    places[i] = static_cast<int32_t>(~static_cast<uint32_t>(selected[i]));
  }
  Write(source, places.data(), values, indices, offset);
}

void TopKKernel::SelectSideBySide(const uint8_t* source, int64_t count, void* values, void* indices,
                                  int64_t offset) const {
  alignas(64) std::array<int32_t, TopKSpec::kMaxK * VecAvx512::kLanes> keys;
  alignas(64) std::array<int32_t, TopKSpec::kMaxK * VecAvx512::kLanes> found;
  std::array<int32_t, TopKSpec::kMaxK> places;
  const TopKLanesArgs args = {source, spec_.length, spec_.k, spec_.source_stride, count, keys.data(), found.data()};
  code_->entry<void (*)(const TopKLanesArgs*)>()(&args);
  if (plan_.code.is_single) return WriteSingle(source, found.data(), count, values, indices, offset);
  for (int64_t lane = 0; lane < count; ++lane) {
    for (int64_t i = 0; i < spec_.k; ++i) {
      places[static_cast<size_t>(i)] = found[static_cast<size_t>(i * lanes_ + lane)];
    }
    Write(source + lane * kElementBytes, places.data(), values, indices, offset + lane * kElementBytes);
  }
}

void TopKKernel::WriteSingle(const uint8_t* source, const int32_t* found, int64_t count, void* values, void* indices,
                             int64_t offset) const {
  if (values != nullptr) {
    uint8_t* const to = static_cast<uint8_t*>(values) + offset;
    for (int64_t lane = 0; lane < count; ++lane, source += kElementBytes) {
      std::memcpy(to + lane * kElementBytes, source + found[lane] * spec_.source_stride, kElementBytes);
    }
  }
  if (indices == nullptr) return;
  if (spec_.index_type == ElementType::kI32) {
    std::memcpy(static_cast<uint8_t*>(indices) + offset, found, static_cast<size_t>(count * kElementBytes));
    return;
  }
  uint8_t* const to = static_cast<uint8_t*>(indices) + 2 * offset;
  for (int64_t lane = 0; lane < count; ++lane) {
    const int64_t index = found[lane];
    std::memcpy(to + lane * int64_t{sizeof(index)}, &index, sizeof(index));
  }
}

void TopKKernel::Write(const uint8_t* source, int32_t* selected, void* values, void* indices, int64_t offset) const {
  if (spec_.order == TopKOrder::kIndex) std::sort(selected, selected + spec_.k);
  const int64_t index_bytes = BitWidth(spec_.index_type) / 8;
  for (int64_t i = 0; i < spec_.k; ++i, offset += spec_.destination_stride) {
    const int64_t index = selected[i];
    if (values != nullptr) {
      std::memcpy(static_cast<uint8_t*>(values) + offset, source + index * spec_.source_stride, kElementBytes);
    }
    // Little-endian: the lower half of an index of 64 bits is one of 32.
    if (indices != nullptr) {
      std::memcpy(static_cast<uint8_t*>(indices) + offset / kElementBytes * index_bytes, &index,
                  static_cast<size_t>(index_bytes));
    }
  }
}

}  // namespace burin::jit

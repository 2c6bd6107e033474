#include "jit/kernels/copy_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

// Sizes and distances stay below this, so that sums of two of them, and products checked against it, fit 64 bits.
constexpr int64_t kMaxBytes = int64_t{1} << 62;

// The most that moves as one: a vector of 128 bits.
constexpr int64_t kMaxUnitBytes = 16;

absl::Status DimError(const char* what, size_t index, const CopyDim& dim) {
  return absl::InvalidArgumentError(absl::StrCat(what, ": dimension ", index, ", extent ", dim.extent,
                                                 ", source stride ", dim.source_stride, ", destination stride ",
                                                 dim.destination_stride));
}

// Adds the distance that the dimension spans to `span`; returns false where that leaves the range.
bool AddSpan(int64_t extent, int64_t stride, int64_t& span) {
  if (stride <= -kMaxBytes || stride >= kMaxBytes) return false;
  int64_t distance = 0;
  if (__builtin_mul_overflow(extent - 1, std::abs(stride), &distance) || distance >= kMaxBytes) return false;
  span += distance;
  return span < kMaxBytes;
}

absl::Status Validate(const StridedCopySpec& spec) {
  if (spec.element_bytes != 1 && spec.element_bytes != 2 && spec.element_bytes != 4 && spec.element_bytes != 8) {
    return absl::InvalidArgumentError(
        absl::StrCat("Elements of a copy have 1, 2, 4 or 8 bytes: these have ", spec.element_bytes));
  }
  bool empty = false;
  for (size_t i = 0; i < spec.dims.size(); ++i) {
    if (spec.dims[i].extent < 0) return DimError("A copy has a negative extent", i, spec.dims[i]);
    empty = empty || spec.dims[i].extent == 0;
  }
  if (empty) return absl::OkStatus();
  int64_t bytes = spec.element_bytes;
  int64_t source_span = 0;
  int64_t destination_span = 0;
  for (size_t i = 0; i < spec.dims.size(); ++i) {
    const CopyDim& dim = spec.dims[i];
    if (__builtin_mul_overflow(bytes, dim.extent, &bytes) || bytes >= kMaxBytes) {
      return DimError("A copy moves 2^62 bytes or more", i, dim);
    }
    if (dim.extent == 1) continue;
    if (dim.destination_stride == 0) return DimError("A copy writes its destination more than once", i, dim);
    if (!AddSpan(dim.extent, dim.source_stride, source_span) ||
        !AddSpan(dim.extent, dim.destination_stride, destination_span)) {
      return DimError("A copy spans 2^62 bytes or more", i, dim);
    }
  }
  return absl::OkStatus();
}

// Makes one dimension of each two neighbours of which the outer one continues the inner.
void Merge(std::vector<CopyDim>& dims) {
  size_t kept = 0;
  for (size_t i = 1; i < dims.size(); ++i) {
    CopyDim& inner = dims[kept];
    if (dims[i].source_stride == inner.source_stride * inner.extent &&
        dims[i].destination_stride == inner.destination_stride * inner.extent) {
      inner.extent *= dims[i].extent;
    } else {
      dims[++kept] = dims[i];
    }
  }
  if (!dims.empty()) dims.resize(kept + 1);
}

// Makes one unit of the innermost dimension where it is contiguous on both sides and short enough.
void Widen(CopyLayout& layout) {
  if (layout.dims.empty()) return;
  const CopyDim& inner = layout.dims.front();
  if (inner.source_stride != layout.unit_bytes || inner.destination_stride != layout.unit_bytes) return;
  const int64_t bytes = inner.extent * layout.unit_bytes;
  if (bytes > kMaxUnitBytes || (bytes & (bytes - 1)) != 0) return;
  layout.unit_bytes = static_cast<int>(bytes);
  layout.dims.erase(layout.dims.begin());
}

}  // namespace

absl::StatusOr<CopyLayout> CopyLayout::From(const StridedCopySpec& spec) {
  BURIN_RETURN_IF_ERROR(Validate(spec));
  CopyLayout layout;
  layout.unit_bytes = spec.element_bytes;
  layout.bytes = spec.element_bytes;
  for (CopyDim dim : spec.dims) {
    layout.bytes *= dim.extent;
    if (dim.extent <= 1) continue;
    if (dim.destination_stride < 0) {
      layout.source_offset += (dim.extent - 1) * dim.source_stride;
      layout.destination_offset += (dim.extent - 1) * dim.destination_stride;
      dim.source_stride = -dim.source_stride;
      dim.destination_stride = -dim.destination_stride;
    }
    layout.dims.push_back(dim);
  }
  if (layout.bytes == 0) {
    layout = CopyLayout();
    layout.unit_bytes = spec.element_bytes;
    return layout;
  }
  std::stable_sort(layout.dims.begin(), layout.dims.end(),
                   [](const CopyDim& a, const CopyDim& b) { return a.destination_stride < b.destination_stride; });
  Merge(layout.dims);
  Widen(layout);
  return layout;
}

}  // namespace burin::jit

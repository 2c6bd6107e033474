#include "ir/ops/family/index_space.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/status_macros.h"

namespace burin::ir {
namespace {

// Rows, or elements, between two looks at the cancel flag.
constexpr int64_t kRowsPerCancelCheck = 4096;
constexpr int64_t kElementsPerCancelCheck = 65536;

void CopyPackedElement(int bits, const void* from, int64_t from_index, void* to, int64_t to_index) {
  const unsigned mask = (1u << bits) - 1u;
  const int64_t per_byte = 8 / bits;
  const unsigned source = static_cast<const uint8_t*>(from)[from_index / per_byte];
  const unsigned value = (source >> (from_index % per_byte * bits)) & mask;
  uint8_t* target = static_cast<uint8_t*>(to) + to_index / per_byte;
  const int64_t shift = to_index % per_byte * bits;
  *target = static_cast<uint8_t>((*target & ~(mask << shift)) | (value << shift));
}

template <class T>
void CopyStrided(const void* from, int64_t from_begin, int64_t from_stride, void* to, int64_t to_begin,
                 int64_t to_stride, int64_t count) {
  const T* source = static_cast<const T*>(from);
  T* target = static_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i) target[to_begin + i * to_stride] = source[from_begin + i * from_stride];
}

void CopyRow(ElementType type, const void* from, int64_t from_begin, int64_t from_stride, void* to, int64_t to_begin,
             int64_t to_stride, int64_t count) {
  if (count == 1 || (from_stride == 1 && to_stride == 1)) {
    CopyElements(type, from, from_begin, to, to_begin, count);
    return;
  }
  switch (BitWidth(type)) {
    case 8:
      return CopyStrided<uint8_t>(from, from_begin, from_stride, to, to_begin, to_stride, count);
    case 16:
      return CopyStrided<uint16_t>(from, from_begin, from_stride, to, to_begin, to_stride, count);
    case 32:
      return CopyStrided<uint32_t>(from, from_begin, from_stride, to, to_begin, to_stride, count);
    case 64:
      return CopyStrided<uint64_t>(from, from_begin, from_stride, to, to_begin, to_stride, count);
    default:
      for (int64_t i = 0; i < count; ++i) {
        CopyPackedElement(BitWidth(type), from, from_begin + i * from_stride, to, to_begin + i * to_stride);
      }
  }
}

}  // namespace

void CopyElements(ElementType type, const void* from, int64_t from_begin, void* to, int64_t to_begin, int64_t count) {
  if (count <= 0) return;
  const int bits = BitWidth(type);
  if (IsPacked(type)) {
    for (int64_t i = 0; i < count; ++i) CopyPackedElement(bits, from, from_begin + i, to, to_begin + i);
    return;
  }
  const int64_t bytes = bits / 8;
  std::memcpy(static_cast<char*>(to) + to_begin * bytes, static_cast<const char*>(from) + from_begin * bytes,
              static_cast<size_t>(count * bytes));
}

void FillElements(ElementType type, const void* from, int64_t from_index, void* to, int64_t to_begin, int64_t count) {
  CopyRow(type, from, from_index, 0, to, to_begin, 1, count);
}

StridedView DenseView(const Shape& shape) { return {0, RowMajorStrides(shape)}; }

BoxWalker::BoxWalker(Shape box, std::vector<StridedView> views)
    : box_(std::move(box)), views_(std::move(views)), index_(box_.size(), 0), positions_(views_.size(), 0) {
  for (size_t v = 0; v < views_.size(); ++v) {
    BURIN_CHECK_EQ(views_[v].strides.size(), box_.size());
    positions_[v] = views_[v].offset;
  }
  done_ = std::find(box_.begin(), box_.end(), 0) != box_.end();
}

void BoxWalker::Next() {
  for (size_t d = box_.size(); d-- > 0;) {
    if (++index_[d] < box_[d]) {
      for (size_t v = 0; v < views_.size(); ++v) positions_[v] += views_[v].strides[d];
      return;
    }
    index_[d] = 0;
    for (size_t v = 0; v < views_.size(); ++v) positions_[v] -= views_[v].strides[d] * (box_[d] - 1);
  }
  done_ = true;
}

absl::Status CopyBox(const ReferenceContext& context, const Shape& box, const Tensor& from,
                     const StridedView& from_view, const Tensor& to, const StridedView& to_view) {
  // The innermost dimension is copied as one row; without any dimension the row is the one element.
  const int64_t row = box.empty() ? 1 : box.back();
  const int64_t from_stride = box.empty() ? 1 : from_view.strides.back();
  const int64_t to_stride = box.empty() ? 1 : to_view.strides.back();
  if (row == 0) return absl::OkStatus();
  Shape outer = box;
  std::vector<StridedView> views = {from_view, to_view};
  if (!outer.empty()) {
    outer.pop_back();
    for (StridedView& view : views) view.strides.pop_back();
  }
  int64_t rows = 0;
  for (BoxWalker walker(std::move(outer), std::move(views)); !walker.done(); walker.Next()) {
    if (++rows % kRowsPerCancelCheck == 0) BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    CopyRow(from.element_type(), from.data(), walker.position(0), from_stride, to.mutable_data(), walker.position(1),
            to_stride, row);
  }
  return absl::OkStatus();
}

absl::Status CopyMapped(const ReferenceContext& context, const Tensor& from,
                        const std::vector<std::vector<int64_t>>& maps, const Tensor& fill, const Tensor& to) {
  int64_t elements = 0;
  for (BoxWalker walker(to.shape(), {DenseView(to.shape())}); !walker.done(); walker.Next()) {
    if (++elements % kElementsPerCancelCheck == 0) BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    int64_t position = 0;
    bool outside = false;
    for (size_t d = 0; d < maps.size(); ++d) {
      const int64_t step = maps[d][static_cast<size_t>(walker.index()[d])];
      outside = outside || step == kOutside;
      position += step;
    }
    const void* source = outside ? fill.data() : from.data();
    CopyElements(to.element_type(), source, outside ? 0 : position, to.mutable_data(), walker.position(0), 1);
  }
  return absl::OkStatus();
}

void CopyAll(const Tensor& from, const Tensor& to) {
  BURIN_CHECK_EQ(from.element_count(), to.element_count());
  CopyElements(from.element_type(), from.data(), 0, to.mutable_data(), 0, from.element_count());
}

AxisSplit SplitAtAxis(const Shape& shape, int64_t axis) {
  const int64_t rank = static_cast<int64_t>(shape.size());
  return {ProductOf(shape, 0, axis), shape[static_cast<size_t>(axis)], ProductOf(shape, axis + 1, rank)};
}

int64_t ProductOf(const Shape& shape, int64_t begin, int64_t end) {
  int64_t product = 1;
  bool saturated = false;
  for (int64_t d = begin; d < end; ++d) {
    if (shape[static_cast<size_t>(d)] == 0) return 0;
    saturated = saturated || __builtin_mul_overflow(product, shape[static_cast<size_t>(d)], &product);
  }
  return saturated ? std::numeric_limits<int64_t>::max() : product;
}

Cost MovementCost(const CostContext& context) {
  Cost cost;
  cost.bytes_written = context.OutputBytes();
  cost.bytes_read = context.OutputBytes();
  for (int64_t i = 1; i < context.input_count(); ++i) {
    if (!context.has_input(i)) continue;
    cost.bytes_read += context.InputElements(i) * BitWidth(context.input(i).type) / 8;
  }
  return cost;
}

Cost ViewCost(const CostContext&) { return Cost(); }

}  // namespace burin::ir

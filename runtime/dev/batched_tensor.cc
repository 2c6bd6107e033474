#include "runtime/dev/batched_tensor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/storage.h"

namespace burin {

namespace {

absl::Status CheckLayout(const Port& port, int64_t rank) {
  const absl::StatusOr<std::optional<int64_t>> batch_axis = port.layout.Find("N", rank);
  if (batch_axis.ok() && *batch_axis == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Input ", ToString(port),
                                                 ": a batch of separate tensors needs a layout with N as the first of ",
                                                 rank, " axes, given ", port.layout.ToString()));
}

absl::Status CheckItem(const Port& port, size_t index, const ir::Tensor& item, const ir::Tensor& first) {
  const auto fail = [&](const auto&... what) {
    return absl::InvalidArgumentError(absl::StrCat("Input ", ToString(port), ": item ", index, ": ", what...));
  };
  if (!item.has_value()) return fail("the tensor is empty");
  if (item.element_type() != port.element_type) {
    return fail("expected element type ", Name(port.element_type), ", given ", Name(item.element_type()));
  }
  if (item.shape().empty() || item.shape()[0] != 1) {
    return fail("expected batch dimension 1, given shape ", ir::ToString(item.shape()));
  }
  if (item.shape() != first.shape()) {
    return fail("expected the shape of item 0, ", ir::ToString(first.shape()), ", given ", ir::ToString(item.shape()));
  }
  return absl::OkStatus();
}

// Returns whether each item ends where the next one begins.
bool AreAdjacent(absl::Span<const ir::Tensor> items) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(items[0].data());
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_dense()) return false;
    if (reinterpret_cast<uintptr_t>(items[i].data()) != begin + i * items[i].byte_size()) return false;
  }
  return true;
}

// Returns a tensor of `shape` on the memory of the items, which are adjacent. It keeps them all alive.
absl::StatusOr<ir::Tensor> WrapAdjacent(absl::Span<const ir::Tensor> items, const ir::Shape& shape) {
  auto owner = std::make_shared<std::vector<ir::Tensor>>(items.begin(), items.end());
  const void* data = items[0].data();
  const size_t bytes = items.size() * items[0].byte_size();
  return ir::Tensor::FromStorage(items[0].element_type(), shape, ir::Storage::Borrow(std::move(owner), data, bytes));
}

}  // namespace

absl::StatusOr<BatchedTensor> BatchedTensor::Create(const Port& port, absl::Span<const ir::Tensor> items) {
  if (items.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("Input ", ToString(port), ": a batch of no tensors"));
  }
  for (size_t i = 0; i < items.size(); ++i) BURIN_RETURN_IF_ERROR(CheckItem(port, i, items[i], items[0]));
  ir::Shape shape = items[0].shape();
  BURIN_RETURN_IF_ERROR(CheckLayout(port, static_cast<int64_t>(shape.size())));
  shape[0] = static_cast<int64_t>(items.size());
  if (!port.shape.Accepts(shape)) {
    return absl::InvalidArgumentError(absl::StrCat("Input ", ToString(port), ": expected shape ", port.shape.ToString(),
                                                   ", given ", items.size(), " tensors of ",
                                                   ir::ToString(items[0].shape())));
  }
  if (IsPacked(port.element_type) && items[0].element_count() * BitWidth(port.element_type) % 8 != 0) {
    return absl::UnimplementedError(absl::StrCat("Input ", ToString(port), ": items of ",
                                                 ir::ToString(items[0].shape()), " do not fill whole bytes"));
  }

  BatchedTensor batch;
  if (AreAdjacent(items)) {
    BURIN_ASSIGN_OR_RETURN(batch.tensor_, WrapAdjacent(items, shape));
    return batch;
  }
  BURIN_ASSIGN_OR_RETURN(batch.tensor_, ir::Tensor::Create(port.element_type, shape));
  batch.items_.assign(items.begin(), items.end());
  for (size_t i = 0; i < items.size(); ++i) {
    BURIN_ASSIGN_OR_RETURN(ir::Tensor place,
                           ir::Tensor::FromStorage(port.element_type, items[0].shape(), batch.tensor_.storage(),
                                                   i * items[0].byte_size()));
    batch.places_.push_back(std::move(place));
  }
  return batch;
}

absl::Status BatchedTensor::Gather() const {
  for (size_t i = 0; i < items_.size(); ++i) BURIN_RETURN_IF_ERROR(items_[i].CopyTo(places_[i]));
  return absl::OkStatus();
}

}  // namespace burin

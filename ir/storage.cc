#include "ir/storage.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/status_macros.h"

namespace burin::ir {

Storage::Storage(std::shared_ptr<const void> owner, void* data, size_t size, bool read_only, bool allocated)
    : owner_(std::move(owner)), data_(data), size_(size), read_only_(read_only), allocated_(allocated) {}

absl::StatusOr<std::shared_ptr<Storage>> Storage::Allocate(size_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(bytes));
  auto owner = std::make_shared<AlignedBuffer>(std::move(buffer));
  void* const data = owner->data();
  return std::shared_ptr<Storage>(new Storage(std::move(owner), data, bytes, /*read_only=*/false, /*allocated=*/true));
}

std::shared_ptr<Storage> Storage::Borrow(std::shared_ptr<const void> owner, const void* data, size_t bytes) {
  // Nothing writes through the pointer: mutable_data() refuses read-only storage.
  return std::shared_ptr<Storage>(
      new Storage(std::move(owner), const_cast<void*>(data), bytes, /*read_only=*/true, /*allocated=*/false));
}

std::shared_ptr<Storage> Storage::BorrowMutable(void* data, size_t bytes, std::shared_ptr<void> owner) {
  return std::shared_ptr<Storage>(new Storage(std::move(owner), data, bytes, /*read_only=*/false, /*allocated=*/false));
}

void* Storage::mutable_data() const {
  BURIN_CHECK(!read_only_) << "write access to read-only storage";
  return data_;
}

Hash128 Storage::ContentHash() const {
  if (!read_only_) return HashBytes(data_, size_);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!hash_.has_value()) hash_ = HashBytes(data_, size_);
  return *hash_;
}

}  // namespace burin::ir

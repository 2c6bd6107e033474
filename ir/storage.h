// The bytes behind tensors: who owns them, and their content hash.
//
// A Storage is immutable as an object (address, size and owner never change) and shared by any number of tensors; when
// the last one goes, so do the bytes. Each constant read from a file has a Storage of its own, so that it can be
// released on its own. Thread-safe; writing the bytes themselves is the writers' business.
#ifndef BURIN_IR_STORAGE_H_
#define BURIN_IR_STORAGE_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/statusor.h"
#include "base/hash.h"

namespace burin::ir {

class Storage {
 public:
  // Allocates `bytes` uninitialised bytes aligned to 64. ResourceExhausted where memory is denied.
  static absl::StatusOr<std::shared_ptr<Storage>> Allocate(size_t bytes);
  // Refers to bytes that `owner` keeps alive (a mapped file, a parsed message, a moved-in string). Read-only.
  static std::shared_ptr<Storage> Borrow(std::shared_ptr<const void> owner, const void* data, size_t bytes);
  // Refers to bytes that `owner` keeps alive, or the caller does where there is none; writable.
  static std::shared_ptr<Storage> BorrowMutable(void* data, size_t bytes, std::shared_ptr<void> owner = nullptr);

  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  const void* data() const { return data_; }
  // Returns the writable address; requires !read_only().
  void* mutable_data() const;
  size_t size() const { return size_; }
  bool read_only() const { return read_only_; }
  // Returns whether Allocate() made it: whoever holds it may go over to a larger one.
  bool allocated() const { return allocated_; }

  // Returns the hash of all bytes. For read-only storage it is computed once and kept.
  Hash128 ContentHash() const;

 private:
  Storage(std::shared_ptr<const void> owner, void* data, size_t size, bool read_only, bool allocated);

  const std::shared_ptr<const void> owner_;
  void* const data_;
  const size_t size_;
  const bool read_only_;
  const bool allocated_;
  mutable std::mutex mutex_;
  mutable std::optional<Hash128> hash_;  // Guarded by mutex_.
};

}  // namespace burin::ir

#endif  // BURIN_IR_STORAGE_H_

// A typed, shaped handle on memory: owning, a view of the caller's memory, a sub-region with byte strides, or mapped.
//
// Copying a Tensor copies the handle, never the bytes, and allocates nothing. A default-constructed Tensor is empty
// (`!has_value()`); calling anything but has_value() and assignment on it is a bug. Concurrent reads are safe; writes
// need outside order. This header is part of the public interface and speaks std types only.
#ifndef BURIN_IR_TENSOR_H_
#define BURIN_IR_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "ir/shape.h"
#include "ir/storage.h"

namespace burin::ir {

class Tensor {
 public:
  Tensor() = default;

  // Allocates a dense row-major tensor, aligned to 64 bytes, uninitialised. InvalidArgument for a bad shape or type,
  // ResourceExhausted where the memory is denied.
  static absl::StatusOr<Tensor> Create(ElementType type, const Shape& shape);
  // As Create, with every bit zero.
  static absl::StatusOr<Tensor> CreateZeroed(ElementType type, const Shape& shape);

  // Refers to the caller's memory, which must outlive every copy of the tensor. `strides` in bytes, empty for dense
  // row-major. InvalidArgument for null data with elements, a bad shape, strides of another rank or beyond the address
  // space, or strides on a packed type.
  static absl::StatusOr<Tensor> View(ElementType type, const Shape& shape, void* data, const ByteStrides& strides = {});
  // As View, of memory that the last copy of the tensor gives back: std::shared_ptr<void>(memory, deleter) brings
  // memory of an allocator of the caller's.
  static absl::StatusOr<Tensor> Adopt(ElementType type, const Shape& shape, std::shared_ptr<void> data,
                                      const ByteStrides& strides = {});

  // Refers to dense row-major bytes inside `storage` from `offset` on. InvalidArgument where they do not fit.
  static absl::StatusOr<Tensor> FromStorage(ElementType type, const Shape& shape, std::shared_ptr<Storage> storage,
                                            size_t offset = 0);

  // Returns the box [begin, end) sharing this tensor's memory. InvalidArgument for bounds outside the shape, or for a
  // packed type.
  absl::StatusOr<Tensor> Region(const Shape& begin, const Shape& end) const;

  // Returns the same bytes under another shape with as many elements; requires is_dense(). InvalidArgument otherwise.
  absl::StatusOr<Tensor> Reshaped(const Shape& shape) const;

  // Gives this handle another shape; elements keep their bytes as far as both shapes fit into the memory it has, and
  // are lost where an allocated tensor goes over to a larger one. Other handles keep shape and memory. InvalidArgument
  // for a bad shape; FailedPrecondition where the elements do not lie densely, or need more memory than a view, a
  // region, or a constant has; ResourceExhausted where memory is denied.
  absl::Status SetShape(const Shape& shape);

  bool has_value() const { return storage_ != nullptr; }
  ElementType element_type() const { return type_; }
  const Shape& shape() const { return dims_->shape; }
  const ByteStrides& byte_strides() const { return dims_->strides; }  // Empty for packed types, which are always dense.
  int64_t element_count() const { return element_count_; }
  // Returns the bytes that the elements take when dense.
  size_t byte_size() const { return byte_size_; }
  // Returns whether the elements lie row-major without gaps.
  bool is_dense() const { return dense_; }
  bool read_only() const { return storage_->read_only(); }

  const void* data() const { return static_cast<const char*>(storage_->data()) + offset_; }
  // Returns the writable address; requires !read_only().
  void* mutable_data() const { return static_cast<char*>(storage_->mutable_data()) + offset_; }
  // Typed access; T must be a C++ type of the element's size, one byte for packed types (checked by size in debug
  // builds). Bytes from a file may lie unaligned: base/element_access.h reads those.
  template <class T>
  const T* data_as() const {
    BURIN_DCHECK_EQ(sizeof(T), access_bytes());
    return static_cast<const T*>(data());
  }
  template <class T>
  T* mutable_data_as() const {
    BURIN_DCHECK_EQ(sizeof(T), access_bytes());
    return static_cast<T*>(mutable_data());
  }

  // As above for elements of exactly that type: T is float, double, bool or an integer of the same width and sign;
  // uint16_t also for the bits of f16 and bf16, uint8_t for those of 8-bit floats, boolean and packed types.
  // InvalidArgument where the type is another; FailedPrecondition where the address is not aligned for T, or to write
  // where the tensor is read-only.
  template <class T>
  absl::StatusOr<const T*> CheckedData() const {
    absl::Status status = CheckAccess(TraitsOf<T>(), /*write=*/false);
    if (!status.ok()) return status;
    return static_cast<const T*>(data());
  }
  template <class T>
  absl::StatusOr<T*> CheckedMutableData() const {
    absl::Status status = CheckAccess(TraitsOf<T>(), /*write=*/true);
    if (!status.ok()) return status;
    return static_cast<T*>(mutable_data());
  }

  const std::shared_ptr<Storage>& storage() const { return storage_; }
  size_t storage_offset() const { return offset_; }

  // Copies all elements into `target`, which has the same type and shape; both may be strided. InvalidArgument
  // otherwise, FailedPrecondition where the target is read-only. Overlapping memory is not supported.
  absl::Status CopyTo(const Tensor& target) const;
  // As CopyTo, repeating elements along axes of size 1 and missing ones in front, as NumPy broadcasts; the target's
  // shape decides.
  absl::Status BroadcastTo(const Tensor& target) const;
  // Returns this tensor where it is dense, else a dense copy.
  absl::StatusOr<Tensor> ToDense() const;
  // Returns an owning, dense copy.
  absl::StatusOr<Tensor> Copy() const;

  // Returns a hash of type, shape and element bytes (strides and addresses do not matter).
  Hash128 ContentHash() const;

  // Prints type and shape, and the elements where they are at most `max_elements` (negative: always): `f32[2]{1, 2.5}`.
  // Floats print with the fewest digits that read back as the same value, booleans as 0 and 1.
  std::string ToString(int64_t max_elements = 16) const;

 private:
  // Never changed once a tensor has it, so that copies share it.
  struct Dims {
    Shape shape;
    ByteStrides strides;
  };

  // Returns the dims of an empty tensor, which no one owns.
  static std::shared_ptr<const Dims> NoDims();
  static std::shared_ptr<const Dims> MakeDims(Shape shape, ByteStrides strides);

  // What a C++ type is to a typed access.
  struct CppType {
    size_t bytes;
    size_t alignment;
    bool is_float;
    bool is_signed;
    bool is_bool;
  };
  template <class T>
  static constexpr CppType TraitsOf() {
    static_assert(std::is_arithmetic_v<T>, "elements are read as numbers");
    return {sizeof(T), alignof(T), std::is_floating_point_v<T>, std::is_signed_v<T>, std::is_same_v<T, bool>};
  }
  absl::Status CheckAccess(const CppType& cpp_type, bool write) const;

  size_t access_bytes() const { return IsPacked(type_) ? 1 : static_cast<size_t>(BitWidth(type_)) / 8; }

  std::shared_ptr<Storage> storage_;
  ElementType type_ = ElementType::kUndefined;
  bool dense_ = true;
  std::shared_ptr<const Dims> dims_ = NoDims();
  size_t offset_ = 0;
  int64_t element_count_ = 0;
  size_t byte_size_ = 0;
  size_t capacity_ = 0;  // The bytes from offset_ on that are this handle's to use.
};

// Returns whether type, shape and element bytes are the same (NaNs with the same bits are equal; 0 and -0 are not).
bool BitwiseEqual(const Tensor& a, const Tensor& b);

}  // namespace burin::ir

#endif  // BURIN_IR_TENSOR_H_

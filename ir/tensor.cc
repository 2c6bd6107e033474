#include "ir/tensor.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/storage.h"

namespace burin::ir {
namespace {

// What follows from type and shape alone.
struct Extent {
  int64_t count = 0;
  size_t bytes = 0;
  ByteStrides strides;  // Dense ones; empty for packed types.
};

absl::StatusOr<Extent> ExtentOf(ElementType type, const Shape& shape) {
  Extent extent;
  BURIN_ASSIGN_OR_RETURN(extent.count, ElementCount(shape));
  BURIN_ASSIGN_OR_RETURN(extent.bytes, BytesFor(type, extent.count));
  if (IsPacked(type)) return extent;
  // Dimensions of size zero count as one for the strides: those have to fit as well.
  int64_t stride = BitWidth(type) / 8;
  extent.strides.resize(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    extent.strides[i] = stride;
    if (__builtin_mul_overflow(stride, std::max<int64_t>(shape[i], 1), &stride)) {
      return absl::InvalidArgumentError(absl::StrCat("The size does not fit into 64 bits for shape ", ToString(shape)));
    }
  }
  return extent;
}

// Returns whether elements at `strides` lie row-major without gaps; `dense` are the strides that do.
bool AreDense(const Shape& shape, int64_t count, const ByteStrides& strides, const ByteStrides& dense) {
  if (count == 0) return true;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && strides[i] != dense[i]) return false;
  }
  return true;
}

// Calls visit(a_offset, b_offset, bytes) for each run of elements that is contiguous under both strides, in row-major
// order, until it returns false. Offsets are in bytes. Returns whether all calls returned true.
template <class Visit>
bool ForEachRun(const Shape& shape, int64_t element_bytes, const ByteStrides& a, const ByteStrides& b, Visit visit) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  size_t outer = shape.size();  // Dimensions [outer, rank) are inside a run.
  int64_t run = element_bytes;
  while (outer > 0 && (shape[outer - 1] == 1 || (a[outer - 1] == run && b[outer - 1] == run))) {
    run *= shape[outer - 1];
    --outer;
  }
  std::vector<int64_t> index(outer, 0);
  int64_t a_offset = 0;
  int64_t b_offset = 0;
  while (true) {
    if (!visit(a_offset, b_offset, static_cast<size_t>(run))) return false;
    size_t i = outer;
    for (; i > 0; --i) {
      a_offset += a[i - 1];
      b_offset += b[i - 1];
      if (++index[i - 1] < shape[i - 1]) break;
      a_offset -= shape[i - 1] * a[i - 1];
      b_offset -= shape[i - 1] * b[i - 1];
      index[i - 1] = 0;
    }
    if (i == 0) return true;
  }
}

// Returns the byte after the last whole one of a dense packed array with the bits that belong to no element cleared.
unsigned char PackedTail(const Tensor& tensor, int tail_bits) {
  const unsigned char last = static_cast<const unsigned char*>(tensor.data())[tensor.byte_size() - 1];
  return static_cast<unsigned char>(last & ((1u << tail_bits) - 1));
}

int PackedTailBits(const Tensor& tensor) {
  return static_cast<int>((tensor.element_count() % 8) * BitWidth(tensor.element_type()) % 8);
}

Hash128 HashElements(const Tensor& tensor) {
  const char* const data = static_cast<const char*>(tensor.data());
  const int tail_bits = IsPacked(tensor.element_type()) ? PackedTailBits(tensor) : 0;
  if (tail_bits == 0 && tensor.is_dense()) {
    const Storage& storage = *tensor.storage();
    const bool whole = tensor.storage_offset() == 0 && tensor.byte_size() == storage.size();
    return whole ? storage.ContentHash() : HashBytes(data, tensor.byte_size());
  }
  Hasher hasher;
  if (tail_bits != 0) {
    const unsigned char tail = PackedTail(tensor, tail_bits);
    hasher.Update(data, tensor.byte_size() - 1);
    hasher.Update(&tail, 1);
  } else {
    ForEachRun(tensor.shape(), BitWidth(tensor.element_type()) / 8, tensor.byte_strides(), tensor.byte_strides(),
               [&](int64_t offset, int64_t, size_t bytes) {
                 hasher.Update(data + offset, bytes);
                 return true;
               });
  }
  return hasher.Finish();
}

// Appends the shortest digits that read back as the same value of a type that float or double holds exactly.
template <class T>
void AppendFloat(T value, std::string* text) {
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof(digits), value);
  text->append(digits, static_cast<size_t>(result.ptr - digits));
}

void AppendElement(const Tensor& dense, int64_t index, std::string* text) {
  const ElementType type = dense.element_type();
  if (type == ElementType::kF64) {
    AppendFloat(LoadAsDouble(type, dense.data(), index), text);
  } else if (IsFloat(type)) {
    AppendFloat(static_cast<float>(LoadAsDouble(type, dense.data(), index)), text);
  } else if (type == ElementType::kU64) {
    absl::StrAppend(text, static_cast<uint64_t>(LoadAsInt64(type, dense.data(), index)));
  } else {
    absl::StrAppend(text, LoadAsInt64(type, dense.data(), index));
  }
}

// Returns whether a C++ type of these traits has the element type's values, or is the usual name of its bits.
bool HoldsElements(ElementType type, size_t bytes, bool is_float, bool is_signed, bool is_bool) {
  if (is_bool) return type == ElementType::kBoolean;
  if (IsPacked(type)) return bytes == 1 && !is_float && !is_signed;
  if (static_cast<size_t>(BitWidth(type)) != bytes * 8) return false;
  if (is_float) return type == ElementType::kF32 || type == ElementType::kF64;
  if (IsFloat(type)) return bytes <= 2 && !is_signed;
  return is_signed == IsSignedInteger(type);
}

}  // namespace

std::shared_ptr<const Tensor::Dims> Tensor::NoDims() {
  static const Dims* const kNone = new Dims();
  return std::shared_ptr<const Dims>(std::shared_ptr<const Dims>(), kNone);
}

std::shared_ptr<const Tensor::Dims> Tensor::MakeDims(Shape shape, ByteStrides strides) {
  return std::make_shared<const Dims>(Dims{std::move(shape), std::move(strides)});
}

absl::StatusOr<Tensor> Tensor::Create(ElementType type, const Shape& shape) {
  BURIN_ASSIGN_OR_RETURN(const Extent extent, ExtentOf(type, shape));
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Storage> storage, Storage::Allocate(extent.bytes));
  return FromStorage(type, shape, std::move(storage));
}

absl::StatusOr<Tensor> Tensor::CreateZeroed(ElementType type, const Shape& shape) {
  BURIN_ASSIGN_OR_RETURN(Tensor tensor, Create(type, shape));
  std::memset(tensor.mutable_data(), 0, tensor.byte_size());
  return tensor;
}

absl::StatusOr<Tensor> Tensor::View(ElementType type, const Shape& shape, void* data, const ByteStrides& strides) {
  // A shared pointer without an owner.
  return Adopt(type, shape, std::shared_ptr<void>(std::shared_ptr<void>(), data), strides);
}

absl::StatusOr<Tensor> Tensor::Adopt(ElementType type, const Shape& shape, std::shared_ptr<void> data,
                                     const ByteStrides& strides) {
  BURIN_ASSIGN_OR_RETURN(const Extent extent, ExtentOf(type, shape));
  void* const start = data.get();
  if (start == nullptr && extent.count > 0) {
    return absl::InvalidArgumentError(absl::StrCat("Null data for a tensor of shape ", ir::ToString(shape)));
  }
  if (strides.empty()) {
    return FromStorage(type, shape, Storage::BorrowMutable(start, extent.bytes, std::move(data)));
  }
  if (IsPacked(type)) {
    return absl::InvalidArgumentError(absl::StrCat("Strides are not possible for the packed type ", Name(type)));
  }
  if (strides.size() != shape.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Strides have another rank than the shape: ", strides.size(), " and ", shape.size()));
  }
  // The distances in bytes from the first element to the lowest and past the highest byte touched.
  int64_t low = 0;
  int64_t high = extent.count > 0 ? BitWidth(type) / 8 : 0;
  for (size_t i = 0; extent.count > 0 && i < shape.size(); ++i) {
    int64_t reach;
    int64_t& end = strides[i] < 0 ? low : high;
    if (__builtin_mul_overflow(shape[i] - 1, strides[i], &reach) || __builtin_add_overflow(end, reach, &end)) {
      return absl::InvalidArgumentError(
          absl::StrCat("Strides pass the address space: ", ir::ToString(strides), " for ", ir::ToString(shape)));
    }
  }
  uint64_t first;
  uint64_t last;
  const uint64_t address = reinterpret_cast<uintptr_t>(start);
  if (__builtin_sub_overflow(address, uint64_t{0} - static_cast<uint64_t>(low), &first) ||
      __builtin_add_overflow(address, static_cast<uint64_t>(high), &last)) {
    return absl::InvalidArgumentError("Strides pass the address space");
  }
  Tensor tensor;
  tensor.storage_ = Storage::BorrowMutable(reinterpret_cast<void*>(first), last - first, std::move(data));
  tensor.offset_ = address - first;
  tensor.type_ = type;
  tensor.dims_ = MakeDims(shape, strides);
  tensor.dense_ = AreDense(shape, extent.count, strides, extent.strides);
  tensor.element_count_ = extent.count;
  tensor.byte_size_ = extent.bytes;
  tensor.capacity_ = extent.bytes;
  return tensor;
}

absl::StatusOr<Tensor> Tensor::FromStorage(ElementType type, const Shape& shape, std::shared_ptr<Storage> storage,
                                           size_t offset) {
  BURIN_ASSIGN_OR_RETURN(Extent extent, ExtentOf(type, shape));
  if (storage == nullptr) return absl::InvalidArgumentError("Null storage for a tensor");
  if (offset > storage->size() || extent.bytes > storage->size() - offset) {
    return absl::InvalidArgumentError(absl::StrCat("A tensor of ", extent.bytes, " bytes at offset ", offset,
                                                   " does not fit into storage of ", storage->size(), " bytes"));
  }
  Tensor tensor;
  tensor.storage_ = std::move(storage);
  tensor.type_ = type;
  tensor.dims_ = MakeDims(shape, std::move(extent.strides));
  tensor.offset_ = offset;
  tensor.element_count_ = extent.count;
  tensor.byte_size_ = extent.bytes;
  tensor.capacity_ = extent.bytes;
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Region(const Shape& begin, const Shape& end) const {
  if (IsPacked(type_)) {
    return absl::InvalidArgumentError(absl::StrCat("A region is not possible for the packed type ", Name(type_)));
  }
  bool inside = begin.size() == shape().size() && end.size() == shape().size();
  for (size_t i = 0; inside && i < shape().size(); ++i) {
    inside = 0 <= begin[i] && begin[i] <= end[i] && end[i] <= shape()[i];
  }
  if (!inside) {
    return absl::InvalidArgumentError(absl::StrCat("Region [", ir::ToString(begin), ", ", ir::ToString(end),
                                                   ") is not inside of shape ", ir::ToString(shape())));
  }
  Shape sizes(end);
  for (size_t i = 0; i < sizes.size(); ++i) sizes[i] -= begin[i];
  BURIN_ASSIGN_OR_RETURN(const Extent extent, ExtentOf(type_, sizes));
  Tensor region = *this;
  region.element_count_ = extent.count;
  region.byte_size_ = extent.bytes;
  region.capacity_ = extent.bytes;
  region.dense_ = AreDense(sizes, extent.count, byte_strides(), extent.strides);
  region.dims_ = MakeDims(std::move(sizes), byte_strides());
  if (extent.count == 0) return region;  // Its address is never read, and might lie outside of the storage.
  int64_t offset = static_cast<int64_t>(offset_);
  for (size_t i = 0; i < begin.size(); ++i) offset += begin[i] * byte_strides()[i];
  region.offset_ = static_cast<size_t>(offset);
  return region;
}

absl::StatusOr<Tensor> Tensor::Reshaped(const Shape& shape) const {
  BURIN_ASSIGN_OR_RETURN(Extent extent, ExtentOf(type_, shape));
  if (!dense_) {
    return absl::InvalidArgumentError(absl::StrCat("Reshape of a tensor with gaps: ", ToString(0)));
  }
  if (extent.count != element_count_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Reshape changes the number of elements: ", ir::ToString(dims_->shape), " to ", ir::ToString(shape)));
  }
  Tensor reshaped = *this;
  reshaped.dims_ = MakeDims(shape, std::move(extent.strides));
  return reshaped;
}

absl::Status Tensor::SetShape(const Shape& shape) {
  BURIN_ASSIGN_OR_RETURN(Extent extent, ExtentOf(type_, shape));
  if (!dense_) {
    return absl::FailedPreconditionError(
        absl::StrCat("Another shape for a tensor with gaps: ", ToString(0), " to ", ir::ToString(shape)));
  }
  if (extent.bytes > capacity_) {
    // A region of an allocated tensor has only a part of it.
    if (!storage_->allocated() || capacity_ != storage_->size()) {
      return absl::FailedPreconditionError(absl::StrCat("The shape needs ", extent.bytes,
                                                        " bytes of a tensor that has ", capacity_,
                                                        " and does not own them: ", ir::ToString(shape)));
    }
    BURIN_ASSIGN_OR_RETURN(*this, Create(type_, shape));
    return absl::OkStatus();
  }
  dims_ = MakeDims(shape, std::move(extent.strides));
  element_count_ = extent.count;
  byte_size_ = extent.bytes;
  return absl::OkStatus();
}

absl::Status Tensor::CheckAccess(const CppType& cpp_type, bool write) const {
  if (!HoldsElements(type_, cpp_type.bytes, cpp_type.is_float, cpp_type.is_signed, cpp_type.is_bool)) {
    return absl::InvalidArgumentError(
        absl::StrCat("The elements are read as another type than they have: ", Name(type_), ", read as ",
                     cpp_type.is_bool     ? "bool"
                     : cpp_type.is_float  ? "float of "
                     : cpp_type.is_signed ? "signed integer of "
                                          : "unsigned integer of ",
                     cpp_type.is_bool ? "" : absl::StrCat(cpp_type.bytes * 8, " bits")));
  }
  if (write && read_only()) {
    return absl::FailedPreconditionError(absl::StrCat("Write access to a read-only tensor: ", ToString(0)));
  }
  if (reinterpret_cast<uintptr_t>(data()) % cpp_type.alignment != 0) {
    return absl::FailedPreconditionError(absl::StrCat("The elements are not aligned for direct access: ", ToString(0)));
  }
  return absl::OkStatus();
}

absl::Status Tensor::CopyTo(const Tensor& target) const {
  if (type_ != target.type_ || shape() != target.shape()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Copy between tensors of different types or shapes: ", ToString(0), " to ", target.ToString(0)));
  }
  if (target.read_only()) {
    return absl::FailedPreconditionError(absl::StrCat("Copy into a read-only tensor: ", target.ToString(0)));
  }
  if (element_count_ == 0) return absl::OkStatus();
  const char* const from = static_cast<const char*>(data());
  char* const to = static_cast<char*>(target.mutable_data());
  if (dense_ && target.dense_) {
    std::memcpy(to, from, byte_size_);
    return absl::OkStatus();
  }
  ForEachRun(shape(), BitWidth(type_) / 8, byte_strides(), target.byte_strides(),
             [from, to](int64_t from_offset, int64_t to_offset, size_t bytes) {
               std::memcpy(to + to_offset, from + from_offset, bytes);
               return true;
             });
  return absl::OkStatus();
}

absl::Status Tensor::BroadcastTo(const Tensor& target) const {
  if (type_ == target.type_ && shape() == target.shape()) return CopyTo(target);
  const size_t missing = target.shape().size() - std::min(shape().size(), target.shape().size());
  bool fits = type_ == target.type_ && shape().size() <= target.shape().size();
  for (size_t i = 0; fits && i < shape().size(); ++i)
    fits = shape()[i] == 1 || shape()[i] == target.shape()[missing + i];
  if (!fits) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Broadcast to another type, or to a shape that does not fit: ", ToString(0), " to ", target.ToString(0)));
  }
  if (IsPacked(type_)) {
    return absl::InvalidArgumentError(absl::StrCat("A broadcast is not possible for the packed type ", Name(type_)));
  }
  if (target.read_only()) {
    return absl::FailedPreconditionError(absl::StrCat("Copy into a read-only tensor: ", target.ToString(0)));
  }
  if (target.element_count_ == 0) return absl::OkStatus();
  ByteStrides repeated(target.shape().size(), 0);
  for (size_t i = 0; i < shape().size(); ++i) {
    if (shape()[i] != 1) repeated[missing + i] = byte_strides()[i];
  }
  const char* const from = static_cast<const char*>(data());
  char* const to = static_cast<char*>(target.mutable_data());
  ForEachRun(target.shape(), BitWidth(type_) / 8, repeated, target.byte_strides(),
             [from, to](int64_t from_offset, int64_t to_offset, size_t bytes) {
               std::memcpy(to + to_offset, from + from_offset, bytes);
               return true;
             });
  return absl::OkStatus();
}

absl::StatusOr<Tensor> Tensor::ToDense() const {
  if (dense_) return *this;
  return Copy();
}

absl::StatusOr<Tensor> Tensor::Copy() const {
  BURIN_ASSIGN_OR_RETURN(Tensor copy, Create(type_, shape()));
  BURIN_RETURN_IF_ERROR(CopyTo(copy));
  return copy;
}

Hash128 Tensor::ContentHash() const {
  Hasher hasher;
  hasher.UpdateInt(type_);
  hasher.UpdateInt(static_cast<int64_t>(shape().size()));
  for (const int64_t dim : shape()) hasher.UpdateInt(dim);
  hasher.Update(HashElements(*this));
  return hasher.Finish();
}

std::string Tensor::ToString(int64_t max_elements) const {
  if (!has_value()) return "(no tensor)";
  std::string text = absl::StrCat(Name(type_), ir::ToString(shape()));
  if (max_elements >= 0 && element_count_ > max_elements) return text;
  const absl::StatusOr<Tensor> dense = ToDense();
  if (!dense.ok()) return text;
  text += "{";
  for (int64_t i = 0; i < element_count_; ++i) {
    if (i > 0) text += ", ";
    AppendElement(*dense, i, &text);
  }
  return text + "}";
}

bool BitwiseEqual(const Tensor& a, const Tensor& b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() == b.has_value();
  if (a.element_type() != b.element_type() || a.shape() != b.shape()) return false;
  if (a.element_count() == 0) return true;
  const char* const a_data = static_cast<const char*>(a.data());
  const char* const b_data = static_cast<const char*>(b.data());
  const int tail_bits = IsPacked(a.element_type()) ? PackedTailBits(a) : 0;
  if (tail_bits != 0) {
    return std::memcmp(a_data, b_data, a.byte_size() - 1) == 0 && PackedTail(a, tail_bits) == PackedTail(b, tail_bits);
  }
  if (a.is_dense() && b.is_dense()) return std::memcmp(a_data, b_data, a.byte_size()) == 0;
  return ForEachRun(a.shape(), BitWidth(a.element_type()) / 8, a.byte_strides(), b.byte_strides(),
                    [a_data, b_data](int64_t a_offset, int64_t b_offset, size_t bytes) {
                      return std::memcmp(a_data + a_offset, b_data + b_offset, bytes) == 0;
                    });
}

}  // namespace burin::ir

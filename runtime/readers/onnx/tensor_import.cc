#include "runtime/readers/onnx/tensor_import.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/storage.h"
#include "runtime/readers/onnx/data_type.h"
#include "runtime/readers/onnx/message/wire_reader.h"

namespace burin::onnx {
namespace {

// Copying more than this, which is what weights alone take, would cost more than reading it where it lies ever does.
constexpr size_t kMostCopiedBytes = size_t{256} << 10;

// The typed list of TensorProto that holds elements of a type.
uint32_t TypedListField(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return 4;
    case ElementType::kI64:
      return 7;
    case ElementType::kF64:
      return 10;
    case ElementType::kU32:
    case ElementType::kU64:
      return 11;
    default:
      return 5;
  }
}

// Writes the values of one typed list, in order of the file, as elements of `width` bytes (the low bytes of each
// value).
class ElementWriter {
 public:
  ElementWriter(char* data, size_t width, size_t count) : data_(data), width_(width), count_(count) {}

  absl::Status Add(const WireField& field) {
    if (field.type != WireType::kBytes) return AddOne(field.scalar);
    const bool is_fixed = width_ == 4 ? field.number == 4 : field.number == 10;
    if (is_fixed) {
      const size_t count = field.bytes.size() / width_;
      if (field.bytes.size() % width_ != 0 || count > count_ - written_) return WrongCount();
      if (count > 0) std::memcpy(data_ + written_ * width_, field.bytes.data(), field.bytes.size());
      written_ += count;
      return absl::OkStatus();
    }
    WireReader reader(field.bytes);
    while (!reader.done()) {
      BURIN_ASSIGN_OR_RETURN(const uint64_t value, reader.Varint());
      BURIN_RETURN_IF_ERROR(AddOne(value));
    }
    return absl::OkStatus();
  }

  absl::Status Finish() const { return written_ == count_ ? absl::OkStatus() : WrongCount(); }

 private:
  absl::Status AddOne(uint64_t bits) {
    if (written_ == count_) return WrongCount();
    std::memcpy(data_ + written_ * width_, &bits, width_);
    ++written_;
    return absl::OkStatus();
  }

  absl::Status WrongCount() const {
    return absl::InvalidArgumentError(
        absl::StrCat("The tensor holds another number of values than its shape says: ", "expected ", count_));
  }

  char* const data_;
  const size_t width_;
  const size_t count_;
  size_t written_ = 0;
};

std::string Describe(const TensorMessage& message) { return absl::StrCat("Tensor \"", message.name, "\""); }

absl::StatusOr<int64_t> ParseSize(absl::string_view key, absl::string_view text) {
  int64_t value = 0;
  if (!absl::SimpleAtoi(text, &value) || value < 0) {
    return absl::InvalidArgumentError(absl::StrCat("External data has a bad ", key, ": ", text));
  }
  return value;
}

// Returns the linear position of the k-th non-zero element. InvalidArgument where it is outside the shape.
absl::StatusOr<int64_t> SparsePosition(const ir::Tensor& indices, int64_t k, const ir::Shape& shape, int64_t count) {
  const int64_t* const data = indices.data_as<int64_t>();
  int64_t position = 0;
  if (indices.shape().size() == 1) {
    position = data[k];
  } else {
    const int64_t rank = static_cast<int64_t>(shape.size());
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t index = data[k * rank + d];
      if (index < 0 || index >= shape[static_cast<size_t>(d)]) {
        return absl::InvalidArgumentError(absl::StrCat("A sparse index is outside the shape: ", index));
      }
      position = position * shape[static_cast<size_t>(d)] + index;
    }
  }
  if (position < 0 || position >= count) {
    return absl::InvalidArgumentError(absl::StrCat("A sparse index is outside the shape: ", position));
  }
  return position;
}

}  // namespace

absl::StatusOr<ir::Tensor> TensorImporter::FromBytes(ElementType type, const ir::Shape& shape, absl::string_view bytes,
                                                     const std::shared_ptr<const void>& owner) {
  BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(shape));
  BURIN_ASSIGN_OR_RETURN(const size_t expected, BytesFor(type, count));
  if (bytes.size() != expected) {
    return absl::InvalidArgumentError(
        absl::StrCat("The tensor's content has another size than its shape says: expected ", expected, " bytes, got ",
                     bytes.size()));
  }
  const size_t alignment = static_cast<size_t>(std::max(1, BitWidth(type) / 8));
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0 || bytes.size() > kMostCopiedBytes) {
    return ir::Tensor::FromStorage(type, shape, ir::Storage::Borrow(owner, bytes.data(), bytes.size()));
  }
  BURIN_RETURN_IF_ERROR(budget_->Charge(bytes.size()));
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor tensor, ir::Tensor::Create(type, shape));
  if (!bytes.empty()) std::memcpy(tensor.mutable_data(), bytes.data(), bytes.size());
  return tensor;
}

absl::StatusOr<ir::Tensor> TensorImporter::FromTypedList(ElementType type, const ir::Shape& shape,
                                                         const TensorMessage& message) {
  BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(shape));
  BURIN_ASSIGN_OR_RETURN(const size_t bytes, BytesFor(type, count));
  // A value takes at least one byte in the file, and becomes at most eight.
  if (bytes / 8 > message.body.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The tensor holds fewer values than its shape says: ", ir::ToString(shape)));
  }
  BURIN_RETURN_IF_ERROR(budget_->Charge(bytes));
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor tensor, ir::Tensor::Create(type, shape));
  // Elements that share a byte come as the bytes that they fill.
  const size_t width = IsPacked(type) ? 1 : static_cast<size_t>(BitWidth(type) / 8);
  ElementWriter writer(static_cast<char*>(tensor.mutable_data()), width, bytes / width);
  const uint32_t list = TypedListField(type);
  WireReader reader(message.body);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == list) BURIN_RETURN_IF_ERROR(writer.Add(field));
  }
  BURIN_RETURN_IF_ERROR(writer.Finish());
  return tensor;
}

absl::StatusOr<ir::Tensor> TensorImporter::FromExternalData(ElementType type, const ir::Shape& shape,
                                                            const TensorMessage& message) {
  absl::string_view location;
  int64_t offset = 0;
  int64_t length = -1;
  for (const StringPair& pair : message.external_data) {
    if (pair.key == "location") {
      location = pair.value;
    } else if (pair.key == "offset") {
      BURIN_ASSIGN_OR_RETURN(offset, ParseSize(pair.key, pair.value));
    } else if (pair.key == "length") {
      BURIN_ASSIGN_OR_RETURN(length, ParseSize(pair.key, pair.value));
    }
  }
  BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(shape));
  BURIN_ASSIGN_OR_RETURN(const size_t expected, BytesFor(type, count));
  bool newly_opened = false;
  BURIN_ASSIGN_OR_RETURN(const ExternalBytes external, external_data_.Open(location, &newly_opened));
  const size_t available = external.bytes.size();
  if (newly_opened) budget_->AddFile(available);
  const size_t begin = static_cast<size_t>(offset);
  const size_t size = length < 0 ? expected : static_cast<size_t>(length);
  if (begin > available || size > available - begin) {
    return absl::InvalidArgumentError(absl::StrCat("External data reaches past the end of its file: ", location,
                                                   ", offset ", begin, ", length ", size, ", available ", available));
  }
  return FromBytes(type, shape, external.bytes.substr(begin, size), external.owner);
}

absl::StatusOr<ir::Tensor> TensorImporter::Import(const TensorMessage& message) {
  const absl::StatusOr<ElementType> type = ElementTypeFromOnnx(message.data_type);
  if (!type.ok()) return WithContext(type.status(), Describe(message));
  if (*type == ElementType::kString) {
    return absl::UnimplementedError(absl::StrCat(Describe(message), ": string tensors are not supported"));
  }
  if (message.has_segment) {
    return absl::UnimplementedError(absl::StrCat(Describe(message), ": tensors in segments are not supported"));
  }
  const absl::StatusOr<int64_t> count = ir::ElementCount(message.dims);
  if (!count.ok()) return WithContext(count.status(), Describe(message));
  absl::StatusOr<ir::Tensor> tensor = message.is_external    ? FromExternalData(*type, message.dims, message)
                                      : message.has_raw_data ? FromBytes(*type, message.dims, message.raw_data, owner_)
                                                             : FromTypedList(*type, message.dims, message);
  if (!tensor.ok()) return WithContext(tensor.status(), Describe(message));
  return tensor;
}

absl::StatusOr<ir::Tensor> TensorImporter::Import(const SparseTensorMessage& message) {
  if (message.values == nullptr || message.indices == nullptr) {
    return absl::InvalidArgumentError("A sparse tensor needs values and indices");
  }
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor values, Import(*message.values));
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor indices, Import(*message.indices));
  const ElementType type = values.element_type();
  BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(message.dims));
  const int64_t non_zeros = values.element_count();
  const ir::Shape linear = {non_zeros};
  const ir::Shape coordinates = {non_zeros, static_cast<int64_t>(message.dims.size())};
  if (values.shape() != linear || indices.element_type() != ElementType::kI64 ||
      (indices.shape() != linear && indices.shape() != coordinates)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "A sparse tensor's values and indices do not fit: ", values.ToString(0), " and ", indices.ToString(0)));
  }
  BURIN_ASSIGN_OR_RETURN(const size_t bytes, BytesFor(type, count));
  BURIN_RETURN_IF_ERROR(budget_->Charge(bytes));
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor result, ir::Tensor::CreateZeroed(type, message.dims));
  const size_t width = static_cast<size_t>(BitWidth(type) / 8);
  for (int64_t k = 0; k < non_zeros; ++k) {
    BURIN_ASSIGN_OR_RETURN(const int64_t position, SparsePosition(indices, k, message.dims, count));
    if (IsPacked(type)) {
      StoreFromDouble(type, result.mutable_data(), position, LoadAsDouble(type, values.data(), k));
    } else {
      std::memcpy(static_cast<char*>(result.mutable_data()) + static_cast<size_t>(position) * width,
                  static_cast<const char*>(values.data()) + static_cast<size_t>(k) * width, width);
    }
  }
  return result;
}

}  // namespace burin::onnx

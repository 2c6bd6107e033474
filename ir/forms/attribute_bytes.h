// Writes and reads the attributes of one operation in the binary form of a model.
//
// Each attribute is its name, a byte that tells its kind, the length of its value and the value; all are written, so
// that a later change of a default changes no file. A tensor is its type, its shape and the offset of its bytes in a
// section of their own. For ir/binary.h alone. Not thread-safe.
#ifndef BURIN_IR_FORMS_ATTRIBUTE_BYTES_H_
#define BURIN_IR_FORMS_ATTRIBUTE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/attributes.h"
#include "ir/forms/byte_stream.h"
#include "ir/shape.h"
#include "ir/storage.h"
#include "ir/tensor.h"

namespace burin::ir {

// The alignment of each constant's bytes within their section, and of the section within the file.
inline constexpr size_t kConstantAlignment = 64;

// Lays out the bytes of constants: those that share memory once.
class ConstantWriter {
 public:
  // Returns the offset at which the tensor's bytes will lie. ResourceExhausted where there is no memory for a dense
  // copy.
  absl::StatusOr<uint64_t> Add(const Tensor& tensor);
  // Returns how many bytes the section takes.
  size_t size() const { return size_; }
  // Appends the section.
  void AppendTo(std::string* bytes) const;

 private:
  std::vector<std::pair<size_t, Tensor>> tensors_;  // By offset, ascending.
  // By address and size in bytes.
  absl::flat_hash_map<std::pair<const void*, size_t>, uint64_t> offsets_;
  size_t size_ = 0;
};

// Hands out tensors that refer to the section's bytes; those with the same bytes share one Storage.
class ConstantReader {
 public:
  // The section is [begin, begin + size) of `bytes`, inside of which it lies.
  ConstantReader(std::shared_ptr<Storage> bytes, size_t begin, size_t size)
      : bytes_(std::move(bytes)), begin_(begin), size_(size) {}

  // DataLoss for a type or shape that no tensor has, and bytes outside of the section.
  absl::StatusOr<Tensor> Get(ElementType type, const Shape& shape, uint64_t offset);

 private:
  const std::shared_ptr<Storage> bytes_;
  const size_t begin_;
  const size_t size_;
  absl::flat_hash_map<std::pair<uint64_t, size_t>, std::shared_ptr<Storage>> regions_;  // By offset and size in bytes.
};

// Appends all attributes. ResourceExhausted as ConstantWriter::Add.
absl::Status WriteAttributes(const Attributes& attributes, ByteWriter* writer, ConstantWriter* constants);

// Assigns what was written; attributes that were not keep their values. DataLoss for malformed bytes, Unimplemented for
// a name that the operation does not have.
absl::Status ReadAttributes(ByteReader* reader, ConstantReader* constants, Attributes* attributes);

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_ATTRIBUTE_BYTES_H_

// Writes and reads the little-endian pieces of the binary form of a model; every read is checked against the end.
//
// For ir/binary.h and ir/forms/attribute_bytes.h alone. Bytes read are referred to, never copied, and outlive the
// reader. Not thread-safe.
#ifndef BURIN_IR_FORMS_BYTE_STREAM_H_
#define BURIN_IR_FORMS_BYTE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/partial_shape.h"

namespace burin::ir {

// The bytes that a count takes, and an empty string.
inline constexpr size_t kCountBytes = sizeof(uint64_t);

class ByteWriter {
 public:
  // Appends an integer or double in its own width.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void Write(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  // Appends a count as 64 bits.
  void WriteCount(size_t count) { Write(static_cast<uint64_t>(count)); }
  // Appends the length and the bytes.
  void WriteString(absl::string_view text);
  // Appends the bytes alone.
  void WriteBytes(absl::string_view bytes) { bytes_.append(bytes.data(), bytes.size()); }
  void WriteShape(const PartialShape& shape);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(absl::string_view bytes) : rest_(bytes) {}

  bool AtEnd() const { return rest_.empty(); }

  // Each returns DataLoss where the bytes end before the value does, or do not encode one.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  absl::StatusOr<T> Read() {
    T value{};
    const absl::Status status = Take(sizeof(value), &value);
    if (!status.ok()) return status;
    return value;
  }
  // Reads a count of things each of which takes `least_bytes` at least: more than can follow is DataLoss.
  absl::StatusOr<size_t> ReadCount(size_t least_bytes);
  absl::StatusOr<absl::string_view> ReadString();
  absl::StatusOr<PartialShape> ReadShape();

 private:
  absl::Status Take(size_t size, void* target);

  absl::string_view rest_;
};

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_BYTE_STREAM_H_

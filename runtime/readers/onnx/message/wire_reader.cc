#include "runtime/readers/onnx/message/wire_reader.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::onnx {
namespace {

constexpr int kMaxVarintBytes = 10;

absl::Status Truncated() { return absl::InvalidArgumentError("The protobuf message ends within a field"); }

}  // namespace

absl::StatusOr<uint64_t> WireReader::Varint() {
  uint64_t value = 0;
  for (int i = 0; i < kMaxVarintBytes; ++i) {
    if (rest_.empty()) return Truncated();
    const uint8_t byte = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value;
  }
  return absl::InvalidArgumentError("A protobuf varint is longer than 10 bytes");
}

absl::StatusOr<uint64_t> WireReader::Fixed(size_t bytes) {
  if (rest_.size() < bytes) return Truncated();
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
  rest_.remove_prefix(bytes);
  return value;
}

absl::StatusOr<WireField> WireReader::Next() {
  BURIN_ASSIGN_OR_RETURN(const uint64_t tag, Varint());
  WireField field;
  if (tag > UINT32_MAX || (tag >> 3) == 0) {
    return absl::InvalidArgumentError(absl::StrCat("No such protobuf field: tag ", tag));
  }
  field.number = static_cast<uint32_t>(tag >> 3);
  switch (tag & 7) {
    case 0: {
      BURIN_ASSIGN_OR_RETURN(field.scalar, Varint());
      field.type = WireType::kVarint;
      return field;
    }
    case 1: {
      BURIN_ASSIGN_OR_RETURN(field.scalar, Fixed(8));
      field.type = WireType::kFixed64;
      return field;
    }
    case 2: {
      BURIN_ASSIGN_OR_RETURN(const uint64_t length, Varint());
      if (length > rest_.size()) {
        return absl::InvalidArgumentError(absl::StrCat("A protobuf field reaches past the end of its message: field ",
                                                       field.number, ", length ", length, ", left ", rest_.size()));
      }
      field.type = WireType::kBytes;
      field.bytes = rest_.substr(0, static_cast<size_t>(length));
      rest_.remove_prefix(static_cast<size_t>(length));
      return field;
    }
    case 5: {
      BURIN_ASSIGN_OR_RETURN(field.scalar, Fixed(4));
      field.type = WireType::kFixed32;
      return field;
    }
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("Unknown protobuf wire type: ", tag & 7, " of field ", field.number));
  }
}

}  // namespace burin::onnx

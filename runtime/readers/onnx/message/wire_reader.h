// Walks one message in protobuf's wire format, in place.
//
// Knows tags, varints, fixed-width values and length-delimited pieces, but no schema; what it returns points into the
// bytes it was given. Every length is checked against the end of the message before it is used. Groups, which ONNX does
// not use, are refused. Not thread-safe. Source: protobuf encoding specification.
//
//   WireReader reader(bytes);
//   while (!reader.done()) {
//     BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
//     ...
//   }
#ifndef BURIN_RUNTIME_READERS_ONNX_MESSAGE_WIRE_READER_H_
#define BURIN_RUNTIME_READERS_ONNX_MESSAGE_WIRE_READER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin::onnx {

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// One field of a message: its number, and its value as the wire type gives it.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t scalar = 0;      // kVarint, kFixed64, kFixed32: the bits, zero-extended.
  absl::string_view bytes;  // kBytes.
};

class WireReader {
 public:
  explicit WireReader(absl::string_view message) : rest_(message) {}

  bool done() const { return rest_.empty(); }
  // Returns the bytes that are not yet read.
  absl::string_view rest() const { return rest_; }

  // Reads one field. InvalidArgument where the message is cut short, a length reaches past its end, or a tag is none.
  absl::StatusOr<WireField> Next();

  // Reads one varint, as a packed list holds them.
  absl::StatusOr<uint64_t> Varint();

 private:
  absl::StatusOr<uint64_t> Fixed(size_t bytes);

  absl::string_view rest_;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MESSAGE_WIRE_READER_H_

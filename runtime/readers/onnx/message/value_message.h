// Types and shapes of an ONNX file as they stand: ValueInfoProto, TypeProto and TensorShapeProto.
//
// Strings point into the file's bytes, which must outlive the messages. See onnx_message.h for the rules of decoding.
// The structs are plain data.
#ifndef BURIN_RUNTIME_READERS_ONNX_MESSAGE_VALUE_MESSAGE_H_
#define BURIN_RUNTIME_READERS_ONNX_MESSAGE_VALUE_MESSAGE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/readers/onnx/message/read_budget.h"

namespace burin::onnx {

struct DimensionMessage {
  enum class Kind : uint8_t { kUnknown, kValue, kSymbol };
  Kind kind = Kind::kUnknown;
  int64_t value = 0;
  absl::string_view symbol;
};

struct TypeMessage {
  enum class Kind : uint8_t { kNone, kTensor, kSequence, kMap, kOpaque, kSparseTensor, kOptional };
  Kind kind = Kind::kNone;
  int64_t element_type = 0;  // Of a tensor.
  bool has_shape = false;
  std::vector<DimensionMessage> dims;
};

struct ValueMessage {
  absl::string_view name;
  TypeMessage type;
};

// Decodes a ValueInfoProto into a struct, adding to what that holds. InvalidArgument where the bytes break the wire
// format, ResourceExhausted where they ask for more than the budget.
absl::Status DecodeInto(absl::string_view bytes, ReadBudget* budget, ValueMessage* value);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MESSAGE_VALUE_MESSAGE_H_

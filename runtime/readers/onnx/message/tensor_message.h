// Tensors of an ONNX file as they stand: TensorProto and SparseTensorProto, decoded without a copy of their contents.
//
// Strings and contents point into the file's bytes, which must outlive the messages. See onnx_message.h for the rules
// of decoding. The structs are plain data.
#ifndef BURIN_RUNTIME_READERS_ONNX_MESSAGE_TENSOR_MESSAGE_H_
#define BURIN_RUNTIME_READERS_ONNX_MESSAGE_TENSOR_MESSAGE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/readers/onnx/message/read_budget.h"

namespace burin::onnx {

struct StringPair {
  absl::string_view key;
  absl::string_view value;
};

// TensorProto. Typed lists (float_data and so on) stay in `body` until the tensor is imported.
struct TensorMessage {
  absl::string_view name;
  int64_t data_type = 0;
  std::vector<int64_t> dims;
  bool has_raw_data = false;
  absl::string_view raw_data;
  absl::string_view body;  // The whole message.
  bool has_segment = false;
  bool is_external = false;
  std::vector<StringPair> external_data;
};

struct SparseTensorMessage {
  std::unique_ptr<TensorMessage> values;
  std::unique_ptr<TensorMessage> indices;
  std::vector<int64_t> dims;
};

// Decode a message into a struct, adding to what that holds. InvalidArgument where the bytes break the wire format,
// ResourceExhausted where they ask for more than the budget.
absl::Status DecodeInto(absl::string_view bytes, ReadBudget* budget, TensorMessage* tensor);
absl::Status DecodeInto(absl::string_view bytes, ReadBudget* budget, SparseTensorMessage* sparse);

// Decodes a TensorProto on its own, as test data files hold one. Errors as above.
absl::StatusOr<TensorMessage> DecodeTensor(absl::string_view bytes, ReadBudget* budget);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MESSAGE_TENSOR_MESSAGE_H_

// An ONNX file as it stands: the messages of onnx.proto, decoded without a copy of names and weights.
//
// Strings and tensor contents point into the file's bytes, which must outlive the messages. Fields that reading does
// not need (documentation, metadata, shape annotations of intermediate values) are skipped. Decoding knows the format
// up to IR version 13; unknown fields are ignored, as protobuf's rules ask. Sizes are charged to a ReadBudget before
// they are allocated, and nesting is bounded, so any bytes whatsoever give messages or an error in linear time. What
// the messages mean is the importer's business. The structs are plain data.
#ifndef BURIN_RUNTIME_READERS_ONNX_MESSAGE_ONNX_MESSAGE_H_
#define BURIN_RUNTIME_READERS_ONNX_MESSAGE_ONNX_MESSAGE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "runtime/readers/onnx/message/tensor_message.h"
#include "runtime/readers/onnx/message/value_message.h"

namespace burin::onnx {

struct GraphMessage;

struct AttributeMessage {
  // Values of AttributeProto.AttributeType.
  enum class Type : uint8_t {
    kUndefined = 0,
    kFloat = 1,
    kInt = 2,
    kString = 3,
    kTensor = 4,
    kGraph = 5,
    kFloats = 6,
    kInts = 7,
    kStrings = 8,
    kTensors = 9,
    kGraphs = 10,
    kSparseTensor = 11,
    kSparseTensors = 12,
    kTypeProto = 13,
    kTypeProtos = 14,
  };
  absl::string_view name;
  absl::string_view reference;  // ref_attr_name: the attribute of the enclosing function that gives the value.
  Type type = Type::kUndefined;
  float f = 0;
  int64_t i = 0;
  absl::string_view s;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<absl::string_view> strings;
  std::unique_ptr<TensorMessage> tensor;
  std::unique_ptr<GraphMessage> graph;
  std::unique_ptr<SparseTensorMessage> sparse_tensor;
};

struct NodeMessage {
  absl::string_view name;
  absl::string_view op_type;
  absl::string_view domain;
  absl::string_view overload;
  std::vector<absl::string_view> inputs;
  std::vector<absl::string_view> outputs;
  std::vector<AttributeMessage> attributes;
};

struct GraphMessage {
  absl::string_view name;
  std::vector<NodeMessage> nodes;
  std::vector<TensorMessage> initializers;
  std::vector<SparseTensorMessage> sparse_initializers;
  std::vector<ValueMessage> inputs;
  std::vector<ValueMessage> outputs;
};

struct OperatorSetMessage {
  absl::string_view domain;
  int64_t version = 0;
};

struct FunctionMessage {
  absl::string_view name;
  absl::string_view domain;
  absl::string_view overload;
  std::vector<absl::string_view> inputs;
  std::vector<absl::string_view> outputs;
  std::vector<absl::string_view> attributes;  // Those without a default.
  std::vector<AttributeMessage> default_attributes;
  std::vector<NodeMessage> nodes;
  std::vector<OperatorSetMessage> operator_sets;
};

struct ModelMessage {
  int64_t ir_version = 0;
  absl::string_view producer_name;
  bool has_graph = false;
  GraphMessage graph;
  std::vector<OperatorSetMessage> operator_sets;
  std::vector<FunctionMessage> functions;
};

// How deep messages may nest: graphs in attributes of nodes of graphs.
inline constexpr int kMaxMessageDepth = 100;

// Decodes a ModelProto. InvalidArgument where the bytes break the wire format or nest too deeply, ResourceExhausted
// where they ask for more than the budget.
absl::StatusOr<ModelMessage> DecodeModel(absl::string_view bytes, ReadBudget* budget);

// Returns whether `prefix`, the first bytes of a file, can be the start of a ModelProto: known fields with their wire
// types. False for an empty prefix.
bool LooksLikeModelMessage(absl::string_view prefix);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MESSAGE_ONNX_MESSAGE_H_

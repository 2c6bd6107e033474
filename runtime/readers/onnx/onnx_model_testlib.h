// Builds ONNX files in memory for tests, and reads and runs them.
//
// For tests only. Files are written by protobuf's own generated code, so that the reader is not judged by itself. Not
// thread-safe.
//
//   OnnxFile file(/*opset=*/17);
//   file.Input("x", kFloat, {2, -1});
//   file.Node("Relu", {"x"}, {"y"});
//   file.Output("y", kFloat);
//   ASSERT_OK_AND_ASSIGN(auto model, ReadBytes(file.Bytes()));
#ifndef BURIN_RUNTIME_READERS_ONNX_ONNX_MODEL_TESTLIB_H_
#define BURIN_RUNTIME_READERS_ONNX_ONNX_MODEL_TESTLIB_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "onnx/onnx.pb.h"

namespace burin::onnx {

// Numbers of TensorProto.DataType, also of types that the installed schema does not know.
inline constexpr int kFloat = 1;
inline constexpr int kUint8 = 2;
inline constexpr int kInt8 = 3;
inline constexpr int kInt32 = 6;
inline constexpr int kInt64 = 7;
inline constexpr int kBool = 9;
inline constexpr int kFloat16 = 10;
inline constexpr int kDouble = 11;

// Returns the number in TensorProto.DataType of an element type.
int OnnxNumberOf(ElementType type);

// Returns the tensor as a message with raw contents.
::onnx::TensorProto ToProto(const ir::Tensor& tensor, const std::string& name = "");

// Add an attribute to a node.
void SetInt(::onnx::NodeProto& node, const std::string& name, int64_t value);
void SetFloat(::onnx::NodeProto& node, const std::string& name, float value);
void SetString(::onnx::NodeProto& node, const std::string& name, const std::string& value);
void SetInts(::onnx::NodeProto& node, const std::string& name, const std::vector<int64_t>& values);
void SetFloats(::onnx::NodeProto& node, const std::string& name, const std::vector<float>& values);
void SetTensor(::onnx::NodeProto& node, const std::string& name, const ir::Tensor& value);

// Adds an attribute that holds a graph, and returns that.
::onnx::GraphProto& AddGraph(::onnx::NodeProto& node, const std::string& name);

// Fill in a value's type; a dimension of -1 is unknown.
void SetTensorType(::onnx::ValueInfoProto& value, const std::string& name, int data_type,
                   const std::vector<int64_t>& dims);
// Adds a node to a graph.
::onnx::NodeProto& AddNode(::onnx::GraphProto& graph, const std::string& op, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs);

// A file in the making.
class OnnxFile {
 public:
  explicit OnnxFile(int64_t opset, int64_t ir_version = 8);

  ::onnx::ModelProto& model() { return model_; }
  ::onnx::GraphProto& graph() { return *model_.mutable_graph(); }

  // Adds an input of a tensor type; a dimension of -1 is unknown.
  void Input(const std::string& name, int data_type, const std::vector<int64_t>& dims);
  // Adds an output, whose shape is not declared.
  void Output(const std::string& name, int data_type);
  ::onnx::NodeProto& Node(const std::string& op, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
    return AddNode(graph(), op, inputs, outputs);
  }
  void Initializer(const std::string& name, const ir::Tensor& tensor) {
    *graph().add_initializer() = ToProto(tensor, name);
  }

  std::string Bytes() const { return model_.SerializeAsString(); }

 private:
  ::onnx::ModelProto model_;
};

// Reads a file from memory without a folder for external data, and verifies what came out.
absl::StatusOr<std::unique_ptr<ir::Model>> ReadBytes(const std::string& bytes);

// Reads a file and evaluates it on inputs in the order of the file.
absl::StatusOr<std::vector<ir::Tensor>> ReadAndRun(const std::string& bytes, const std::vector<ir::Tensor>& inputs);

// One node as a whole model:
//
//   ExpectComputes(SingleNode("Clip", 13).Inputs({x, low, high}), {y});
struct SingleNode {
  explicit SingleNode(std::string op_type, int64_t opset_version = 17) : op(std::move(op_type)), opset(opset_version) {}

  SingleNode& Domain(std::string value) {
    domain = std::move(value);
    return *this;
  }
  // Sets the inputs; an empty tensor is an absent one.
  SingleNode& Inputs(std::vector<ir::Tensor> values) {
    inputs = std::move(values);
    return *this;
  }
  // Makes the first `count` inputs those of the model (by default one); the others are initialisers.
  SingleNode& Variable(size_t count) {
    variable = count;
    return *this;
  }
  // Sets the types of the outputs (by default one of f32); 0: the output is not named.
  SingleNode& Outputs(std::vector<int> types) {
    output_types = std::move(types);
    return *this;
  }
  // Sets how attributes are added.
  SingleNode& With(std::function<void(::onnx::NodeProto& node)> add_attributes) {
    attributes = std::move(add_attributes);
    return *this;
  }

  std::string op;
  int64_t opset;
  std::string domain;
  std::vector<ir::Tensor> inputs;
  size_t variable = 1;
  std::vector<int> output_types = {kFloat};
  std::function<void(::onnx::NodeProto& node)> attributes;
};

// Returns the file, whose inputs have the tensors' shapes, or ranks only where `dynamic` is set.
std::string FileOf(const SingleNode& node, bool dynamic = false);

// Expects that the node computes the outputs (within `relative` of each element, or exactly), both where all shapes are
// known to the reader and where ranks alone are.
void ExpectComputes(const SingleNode& node, const std::vector<ir::Tensor>& outputs, double relative = 0);
// As above, for static shapes alone: where the reader must know shapes.
void ExpectComputesStatic(const SingleNode& node, const std::vector<ir::Tensor>& outputs, double relative = 0);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_ONNX_MODEL_TESTLIB_H_

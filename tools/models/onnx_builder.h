// Builds an ONNX file from the calls of a network: other runtimes can run the same network with the same weights.
//
// Writes opset 17 of ai.onnx in IR version 8, with all weights inside the file. Not thread-safe.
#ifndef BURIN_TOOLS_MODELS_ONNX_BUILDER_H_
#define BURIN_TOOLS_MODELS_ONNX_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "onnx/onnx.pb.h"
#include "tools/models/network_builder.h"

namespace burin::models {

class OnnxBuilder final : public NetworkBuilder {
 public:
  explicit OnnxBuilder(const std::string& name);

  Value Input(const std::string& name, ElementType type, const ir::Shape& shape) override;
  void Output(Value x, const std::string& name, ElementType type, const ir::Shape& shape) override;
  Value Constant(absl::StatusOr<ir::Tensor> tensor, absl::string_view name) override;
  Value Unary(UnaryOp op, Value x) override;
  Value Binary(BinaryOp op, Value a, Value b) override;
  Value Clip(Value x, float low, float high) override;
  Value Select(Value condition, Value a, Value b) override;
  Value Convert(Value x, ElementType type) override;
  Value Convolution(Value x, absl::StatusOr<ir::Tensor> weights, absl::StatusOr<ir::Tensor> bias, const Window& window,
                    int64_t groups) override;
  Value MatMul(Value a, Value b) override;
  Value MaxPool(Value x, const Window& window) override;
  Value GlobalAveragePool(Value x) override;
  Value Mean(Value x, int64_t axis) override;
  Value Softmax(Value x, int64_t axis) override;
  Value LayerNorm(Value x, Value scale, Value bias, float epsilon) override;
  Value CumSum(Value x, int64_t axis) override;
  Value Reshape(Value x, const std::vector<int64_t>& pattern) override;
  Value Transpose(Value x, const std::vector<int64_t>& order) override;
  Value Unsqueeze(Value x, const std::vector<int64_t>& axes) override;
  Value Concat(const std::vector<Value>& values, int64_t axis) override;
  Value Slice(Value x, int64_t axis, int64_t begin, int64_t end) override;
  Value Gather(Value table, Value indices, int64_t axis) override;
  Value ShapeOf(Value x) override;
  Value Expand(Value x, Value shape) override;

  // Returns the bytes of the file, or the first error; ResourceExhausted for more than the 2 GiB that a file can have.
  absl::StatusOr<std::string> Finish();

 private:
  ::onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  Value Keep(const std::string& name);
  // Adds a node with one output; null where an earlier call failed.
  ::onnx::NodeProto* Add(const char* op_type, const std::vector<Value>& inputs);
  Value OutputOf(const ::onnx::NodeProto* node);

  ::onnx::ModelProto model_;
  int64_t constant_bytes_ = 0;
  absl::flat_hash_set<std::string> node_outputs_;
  absl::flat_hash_set<std::string> taken_;  // The names of all values.
  std::vector<std::string> names_;          // By Value::index.
  // What nodes' outputs are called in the file, where the network's signature names them.
  absl::flat_hash_map<std::string, std::string> public_names_;
};

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_ONNX_BUILDER_H_

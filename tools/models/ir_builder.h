// Builds an ir::Model from the calls of a network: what the tools run.
//
// Not thread-safe.
#ifndef BURIN_TOOLS_MODELS_IR_BUILDER_H_
#define BURIN_TOOLS_MODELS_IR_BUILDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "tools/models/network_builder.h"

namespace burin::models {

class IrBuilder final : public NetworkBuilder {
 public:
  explicit IrBuilder(const std::string& name) : model_(std::make_unique<ir::Model>(name)) {}

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

  // Returns the model, once, or the first error.
  absl::StatusOr<std::unique_ptr<ir::Model>> Finish();

 private:
  ir::Value At(Value x) const { return values_[static_cast<size_t>(x.index)]; }
  Value Keep(ir::Value value);
  // Adds a node and returns its first output.
  Value Add(const ir::OpDef& op, std::vector<Value> inputs, std::unique_ptr<ir::Attributes> attributes = nullptr);

  std::unique_ptr<ir::Model> model_;
  std::vector<ir::Value> values_;
};

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_IR_BUILDER_H_

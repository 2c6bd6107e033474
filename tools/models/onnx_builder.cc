#include "tools/models/onnx_builder.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace burin::models {

namespace {

constexpr int64_t kIrVersion = 8;
constexpr int64_t kOpset = 17;
// What protobuf can write into one message, less room for everything but the weights.
constexpr int64_t kMaxConstantBytes = (int64_t{1} << 31) - (int64_t{1} << 24);

const char* OpTypeOf(UnaryOp op) {
  switch (op) {
    case UnaryOp::kCos:
      return "Cos";
    case UnaryOp::kErf:
      return "Erf";
    case UnaryOp::kNegative:
      return "Neg";
    case UnaryOp::kRelu:
      return "Relu";
    case UnaryOp::kSigmoid:
      return "Sigmoid";
    case UnaryOp::kSin:
      return "Sin";
    case UnaryOp::kSqrt:
      return "Sqrt";
    case UnaryOp::kTanh:
      break;
  }
  return "Tanh";
}

const char* OpTypeOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
      return "Add";
    case BinaryOp::kAnd:
      return "And";
    case BinaryOp::kDivide:
      return "Div";
    case BinaryOp::kLessOrEqual:
      return "LessOrEqual";
    case BinaryOp::kMultiply:
      return "Mul";
    case BinaryOp::kSubtract:
      break;
  }
  return "Sub";
}

// Networks use these types alone.
::onnx::TensorProto::DataType DataTypeOf(ElementType type) {
  if (type == ElementType::kF32) return ::onnx::TensorProto::FLOAT;
  BURIN_CHECK(type == ElementType::kI64 || type == ElementType::kBoolean) << "no network has type " << Name(type);
  return type == ElementType::kI64 ? ::onnx::TensorProto::INT64 : ::onnx::TensorProto::BOOL;
}

void Describe(const std::string& name, ElementType type, const ir::Shape& shape, ::onnx::ValueInfoProto* info) {
  info->set_name(name);
  ::onnx::TypeProto::Tensor* tensor = info->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(DataTypeOf(type));
  for (int64_t size : shape) tensor->mutable_shape()->add_dim()->set_dim_value(size);
}

void SetInt(::onnx::NodeProto* node, const char* name, int64_t value) {
  if (node == nullptr) return;
  ::onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::INT);
  attribute->set_i(value);
}

void SetFloat(::onnx::NodeProto* node, const char* name, float value) {
  if (node == nullptr) return;
  ::onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::FLOAT);
  attribute->set_f(value);
}

void SetInts(::onnx::NodeProto* node, const char* name, const std::vector<int64_t>& values) {
  if (node == nullptr) return;
  ::onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::INTS);
  for (int64_t value : values) attribute->add_ints(value);
}

void SetWindow(::onnx::NodeProto* node, const Window& window) {
  SetInts(node, "kernel_shape", {window.kernel, window.kernel});
  SetInts(node, "strides", {window.stride, window.stride});
  SetInts(node, "pads", {window.padding, window.padding, window.padding, window.padding});
}

}  // namespace

OnnxBuilder::OnnxBuilder(const std::string& name) {
  model_.set_ir_version(kIrVersion);
  model_.set_producer_name("burin");
  model_.add_opset_import()->set_version(kOpset);
  graph().set_name(name);
}

Value OnnxBuilder::Keep(const std::string& name) {
  BURIN_CHECK(taken_.insert(name).second) << "the network names two values " << name;
  names_.push_back(name);
  return Value{static_cast<int32_t>(names_.size()) - 1};
}

::onnx::NodeProto* OnnxBuilder::Add(const char* op_type, const std::vector<Value>& inputs) {
  if (!ok()) return nullptr;
  ::onnx::NodeProto* node = graph().add_node();
  node->set_op_type(op_type);
  node->set_name(Scoped(Numbered(op_type)));
  for (Value input : inputs) node->add_input(names_[static_cast<size_t>(input.index)]);
  node->add_output(absl::StrCat(node->name(), "_output"));
  return node;
}

Value OnnxBuilder::OutputOf(const ::onnx::NodeProto* node) {
  if (node == nullptr) return Value();
  node_outputs_.insert(node->output(0));
  return Keep(node->output(0));
}

Value OnnxBuilder::Input(const std::string& name, ElementType type, const ir::Shape& shape) {
  if (!ok()) return Value();
  Describe(name, type, shape, graph().add_input());
  return Keep(name);
}

void OnnxBuilder::Output(Value x, const std::string& name, ElementType type, const ir::Shape& shape) {
  if (!ok()) return;
  const std::string& internal = names_[static_cast<size_t>(x.index)];
  BURIN_CHECK(node_outputs_.contains(internal)) << "output " << name << " is no node's";
  BURIN_CHECK(public_names_.emplace(internal, name).second) << "output " << name << " has another name already";
  Keep(name);
  Describe(name, type, shape, graph().add_output());
}

Value OnnxBuilder::Constant(absl::StatusOr<ir::Tensor> tensor, absl::string_view name) {
  if (!tensor.ok()) Fail(tensor.status());
  if (!ok()) return Value();
  constant_bytes_ += static_cast<int64_t>(tensor->byte_size());
  if (constant_bytes_ > kMaxConstantBytes) {
    Fail(absl::ResourceExhaustedError("An ONNX file without external data holds at most 2 GiB: the network is larger"));
    return Value();
  }
  const std::string scoped = Scoped(name);
  ::onnx::TensorProto* proto = graph().add_initializer();
  proto->set_name(scoped);
  proto->set_data_type(DataTypeOf(tensor->element_type()));
  for (int64_t size : tensor->shape()) proto->add_dims(size);
  proto->set_raw_data(tensor->data(), tensor->byte_size());
  return Keep(scoped);
}

Value OnnxBuilder::Unary(UnaryOp op, Value x) { return OutputOf(Add(OpTypeOf(op), {x})); }

Value OnnxBuilder::Binary(BinaryOp op, Value a, Value b) { return OutputOf(Add(OpTypeOf(op), {a, b})); }

Value OnnxBuilder::Clip(Value x, float low, float high) {
  const Value min = Scalar(low);
  return OutputOf(Add("Clip", {x, min, Scalar(high)}));
}

Value OnnxBuilder::Select(Value condition, Value a, Value b) { return OutputOf(Add("Where", {condition, a, b})); }

Value OnnxBuilder::Convert(Value x, ElementType type) {
  ::onnx::NodeProto* node = Add("Cast", {x});
  SetInt(node, "to", DataTypeOf(type));
  return OutputOf(node);
}

Value OnnxBuilder::Convolution(Value x, absl::StatusOr<ir::Tensor> weights, absl::StatusOr<ir::Tensor> bias,
                               const Window& window, int64_t groups) {
  const Value weight = Constant(std::move(weights), "weight");
  ::onnx::NodeProto* node = Add("Conv", {x, weight, Constant(std::move(bias), "bias")});
  SetWindow(node, window);
  SetInt(node, "group", groups);
  return OutputOf(node);
}

Value OnnxBuilder::MatMul(Value a, Value b) { return OutputOf(Add("MatMul", {a, b})); }

Value OnnxBuilder::MaxPool(Value x, const Window& window) {
  ::onnx::NodeProto* node = Add("MaxPool", {x});
  SetWindow(node, window);
  return OutputOf(node);
}

Value OnnxBuilder::GlobalAveragePool(Value x) { return OutputOf(Add("GlobalAveragePool", {x})); }

Value OnnxBuilder::Mean(Value x, int64_t axis) {
  ::onnx::NodeProto* node = Add("ReduceMean", {x});
  SetInts(node, "axes", {axis});
  SetInt(node, "keepdims", 1);
  return OutputOf(node);
}

Value OnnxBuilder::Softmax(Value x, int64_t axis) {
  ::onnx::NodeProto* node = Add("Softmax", {x});
  SetInt(node, "axis", axis);
  return OutputOf(node);
}

Value OnnxBuilder::LayerNorm(Value x, Value scale, Value bias, float epsilon) {
  ::onnx::NodeProto* node = Add("LayerNormalization", {x, scale, bias});
  SetInt(node, "axis", -1);
  SetFloat(node, "epsilon", epsilon);
  return OutputOf(node);
}

Value OnnxBuilder::CumSum(Value x, int64_t axis) { return OutputOf(Add("CumSum", {x, Scalar64(axis)})); }

Value OnnxBuilder::Reshape(Value x, const std::vector<int64_t>& pattern) {
  return OutputOf(Add("Reshape", {x, Integers(pattern)}));
}

Value OnnxBuilder::Transpose(Value x, const std::vector<int64_t>& order) {
  ::onnx::NodeProto* node = Add("Transpose", {x});
  SetInts(node, "perm", order);
  return OutputOf(node);
}

Value OnnxBuilder::Unsqueeze(Value x, const std::vector<int64_t>& axes) {
  return OutputOf(Add("Unsqueeze", {x, Integers(axes)}));
}

Value OnnxBuilder::Concat(const std::vector<Value>& values, int64_t axis) {
  ::onnx::NodeProto* node = Add("Concat", values);
  SetInt(node, "axis", axis);
  return OutputOf(node);
}

Value OnnxBuilder::Slice(Value x, int64_t axis, int64_t begin, int64_t end) {
  return OutputOf(Add("Slice", {x, Integers({begin}), Integers({end}), Integers({axis})}));
}

Value OnnxBuilder::Gather(Value table, Value indices, int64_t axis) {
  ::onnx::NodeProto* node = Add("Gather", {table, indices});
  SetInt(node, "axis", axis);
  return OutputOf(node);
}

Value OnnxBuilder::ShapeOf(Value x) { return OutputOf(Add("Shape", {x})); }

Value OnnxBuilder::Expand(Value x, Value shape) { return OutputOf(Add("Expand", {x, shape})); }

absl::StatusOr<std::string> OnnxBuilder::Finish() {
  BURIN_RETURN_IF_ERROR(status());
  const auto publish = [this](std::string* name) {
    const auto found = public_names_.find(*name);
    if (found != public_names_.end()) *name = found->second;
  };
  for (::onnx::NodeProto& node : *graph().mutable_node()) {
    for (std::string& name : *node.mutable_input()) publish(&name);
    for (std::string& name : *node.mutable_output()) publish(&name);
  }
  std::string bytes;
  if (!model_.SerializeToString(&bytes)) {
    return absl::ResourceExhaustedError("The network does not fit into one protobuf message");
  }
  return bytes;
}

}  // namespace burin::models

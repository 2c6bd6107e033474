#include "runtime/readers/onnx/onnx_model_testlib.h"

#include <gtest/gtest.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/ops/op_testlib.h"
#include "ir/storage.h"
#include "ir/verifier.h"
#include "runtime/readers/onnx/data_type.h"
#include "runtime/readers/onnx/onnx_reader.h"

namespace burin::onnx {
namespace {

::onnx::AttributeProto& NewAttribute(::onnx::NodeProto& node, const std::string& name,
                                     ::onnx::AttributeProto::AttributeType type) {
  ::onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

void ExpectRuns(const std::string& bytes, const std::vector<ir::Tensor>& inputs,
                const std::vector<ir::Tensor>& expected, double relative) {
  const absl::StatusOr<std::vector<ir::Tensor>> outputs = ReadAndRun(bytes, inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  ASSERT_EQ(outputs->size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(absl::StrCat("output ", i));
    if (relative == 0) {
      ir::ExpectTensorEq((*outputs)[i], expected[i]);
    } else {
      ir::ExpectTensorNear((*outputs)[i], expected[i], relative, relative);
    }
  }
}

std::vector<ir::Tensor> RuntimeInputs(const SingleNode& node) {
  std::vector<ir::Tensor> inputs;
  for (size_t i = 0; i < node.inputs.size() && i < node.variable; ++i) {
    if (node.inputs[i].has_value()) inputs.push_back(node.inputs[i]);
  }
  return inputs;
}

}  // namespace

int OnnxNumberOf(ElementType type) {
  for (int number = 1; number <= 26; ++number) {
    const absl::StatusOr<ElementType> known = ElementTypeFromOnnx(number);
    if (known.ok() && *known == type) return number;
  }
  return 0;
}

::onnx::TensorProto ToProto(const ir::Tensor& tensor, const std::string& name) {
  ::onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(OnnxNumberOf(tensor.element_type()));
  for (const int64_t dim : tensor.shape()) proto.add_dims(dim);
  proto.set_raw_data(tensor.data(), tensor.byte_size());
  return proto;
}

void SetInt(::onnx::NodeProto& node, const std::string& name, int64_t value) {
  NewAttribute(node, name, ::onnx::AttributeProto::INT).set_i(value);
}
void SetFloat(::onnx::NodeProto& node, const std::string& name, float value) {
  NewAttribute(node, name, ::onnx::AttributeProto::FLOAT).set_f(value);
}
void SetString(::onnx::NodeProto& node, const std::string& name, const std::string& value) {
  NewAttribute(node, name, ::onnx::AttributeProto::STRING).set_s(value);
}
void SetInts(::onnx::NodeProto& node, const std::string& name, const std::vector<int64_t>& values) {
  ::onnx::AttributeProto& attribute = NewAttribute(node, name, ::onnx::AttributeProto::INTS);
  for (const int64_t value : values) attribute.add_ints(value);
}
void SetFloats(::onnx::NodeProto& node, const std::string& name, const std::vector<float>& values) {
  ::onnx::AttributeProto& attribute = NewAttribute(node, name, ::onnx::AttributeProto::FLOATS);
  for (const float value : values) attribute.add_floats(value);
}
void SetTensor(::onnx::NodeProto& node, const std::string& name, const ir::Tensor& value) {
  *NewAttribute(node, name, ::onnx::AttributeProto::TENSOR).mutable_t() = ToProto(value);
}

::onnx::GraphProto& AddGraph(::onnx::NodeProto& node, const std::string& name) {
  ::onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::GRAPH);
  return *attribute.mutable_g();
}

void SetTensorType(::onnx::ValueInfoProto& value, const std::string& name, int data_type,
                   const std::vector<int64_t>& dims) {
  value.set_name(name);
  ::onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(data_type);
  type.mutable_shape();
  for (const int64_t dim : dims) {
    ::onnx::TensorShapeProto::Dimension& entry = *type.mutable_shape()->add_dim();
    if (dim >= 0) entry.set_dim_value(dim);
  }
}

::onnx::NodeProto& AddNode(::onnx::GraphProto& graph, const std::string& op, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs) {
  ::onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op);
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  return node;
}

OnnxFile::OnnxFile(int64_t opset, int64_t ir_version) {
  model_.set_ir_version(ir_version);
  ::onnx::OperatorSetIdProto& import = *model_.add_opset_import();
  import.set_domain("");
  import.set_version(opset);
  graph().set_name("test");
}

void OnnxFile::Input(const std::string& name, int data_type, const std::vector<int64_t>& dims) {
  SetTensorType(*graph().add_input(), name, data_type, dims);
}

void OnnxFile::Output(const std::string& name, int data_type) {
  ::onnx::ValueInfoProto& output = *graph().add_output();
  output.set_name(name);
  output.mutable_type()->mutable_tensor_type()->set_elem_type(data_type);
}

absl::StatusOr<std::unique_ptr<ir::Model>> ReadBytes(const std::string& bytes) {
  const auto owner = std::make_shared<std::string>(bytes);
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ir::Model> model,
                         ReadOnnxModelFromBytes(ir::Storage::Borrow(owner, owner->data(), owner->size()), ""));
  BURIN_RETURN_IF_ERROR(ir::Verify(*model));
  return model;
}

absl::StatusOr<std::vector<ir::Tensor>> ReadAndRun(const std::string& bytes, const std::vector<ir::Tensor>& inputs) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> model, ReadBytes(bytes));
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(*model));
  return evaluator.Run(inputs);
}

std::string FileOf(const SingleNode& node, bool dynamic) {
  OnnxFile file(node.opset);
  std::vector<std::string> inputs;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ir::Tensor& tensor = node.inputs[i];
    inputs.push_back(tensor.has_value() ? absl::StrCat("in", i) : "");
    if (!tensor.has_value()) continue;
    if (i >= node.variable) {
      file.Initializer(inputs.back(), tensor);
    } else {
      file.Input(inputs.back(), OnnxNumberOf(tensor.element_type()),
                 dynamic ? std::vector<int64_t>(tensor.shape().size(), -1) : tensor.shape());
    }
  }
  std::vector<std::string> outputs;
  for (size_t i = 0; i < node.output_types.size(); ++i) {
    outputs.push_back(node.output_types[i] == 0 ? "" : absl::StrCat("out", i));
    if (node.output_types[i] != 0) file.Output(outputs.back(), node.output_types[i]);
  }
  ::onnx::NodeProto& proto = file.Node(node.op, inputs, outputs);
  proto.set_name("node");
  if (!node.domain.empty()) {
    proto.set_domain(node.domain);
    ::onnx::OperatorSetIdProto& import = *file.model().add_opset_import();
    import.set_domain(node.domain);
    import.set_version(1);
  }
  if (node.attributes) node.attributes(proto);
  return file.Bytes();
}

void ExpectComputesStatic(const SingleNode& node, const std::vector<ir::Tensor>& outputs, double relative) {
  SCOPED_TRACE(absl::StrCat(node.op, " of opset ", node.opset));
  ExpectRuns(FileOf(node), RuntimeInputs(node), outputs, relative);
}

void ExpectComputes(const SingleNode& node, const std::vector<ir::Tensor>& outputs, double relative) {
  ExpectComputesStatic(node, outputs, relative);
  SCOPED_TRACE(absl::StrCat(node.op, " of opset ", node.opset, ", shapes not known"));
  ExpectRuns(FileOf(node, /*dynamic=*/true), RuntimeInputs(node), outputs, relative);
}

}  // namespace burin::onnx

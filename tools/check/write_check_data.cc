// Writes what check_test.sh needs into a folder: model.onnx (y = relu(x)), test_data_set_0 (right), and wrong/ (an
// output that is off by one).
#include <filesystem>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/file.h"
#include "onnx/onnx.pb.h"

namespace {

std::string FloatTensor(const std::vector<float>& values) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  for (float value : values) tensor.add_float_data(value);
  return tensor.SerializeAsString();
}

void Describe(onnx::ValueInfoProto* value, const char* name) {
  value->set_name(name);
  onnx::TypeProto::Tensor* type = value->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_value(3);
}

std::string ReluModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(14);
  onnx::GraphProto* graph = model.mutable_graph();
  graph->set_name("relu");
  onnx::NodeProto* node = graph->add_node();
  node->set_op_type("Relu");
  node->add_input("x");
  node->add_output("y");
  Describe(graph->add_input(), "x");
  Describe(graph->add_output(), "y");
  return model.SerializeAsString();
}

void Write(const std::string& path, const std::string& bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  BURIN_CHECK_OK(burin::WriteFileAtomically(path, bytes));
}

}  // namespace

int main(int argc, char** argv) {
  BURIN_CHECK_EQ(argc, 2) << "usage: write_check_data FOLDER";
  const std::string folder = argv[1];
  Write(folder + "/model.onnx", ReluModel());
  Write(folder + "/test_data_set_0/input_0.pb", FloatTensor({-1, 0, 2}));
  Write(folder + "/test_data_set_0/output_0.pb", FloatTensor({0, 0, 2}));
  Write(folder + "/wrong/input_0.pb", FloatTensor({-1, 0, 2}));
  Write(folder + "/wrong/output_0.pb", FloatTensor({0, 0, 3}));
  return 0;
}

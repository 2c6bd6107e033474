#include "runtime/readers/onnx/message_mutator_testlib.h"

#include <iterator>
#include <limits>

namespace burin::onnx {
namespace {

// Nodes at most this deep in bodies are changed.
constexpr int kMaxDepth = 4;

void CollectNodes(::onnx::GraphProto* graph, int depth, std::vector<::onnx::NodeProto*>* nodes) {
  for (::onnx::NodeProto& node : *graph->mutable_node()) {
    nodes->push_back(&node);
    for (::onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g() && depth < kMaxDepth) CollectNodes(attribute.mutable_g(), depth + 1, nodes);
    }
  }
}

}  // namespace

int64_t MessageMutator::Number() {
  constexpr int64_t kNumbers[] = {0,    1,       -1,      2,         -2,        3,
                                  4,    7,       8,       16,        63,        64,
                                  65,   255,     256,     -128,      1 << 20,   std::numeric_limits<int32_t>::max(),
                                  -100, 1 << 30, 1 << 16, INT64_MAX, INT64_MIN, INT64_MAX / 2};
  return kNumbers[Below(std::size(kNumbers))];
}

void MessageMutator::ChangeTensor(::onnx::TensorProto* tensor) {
  switch (Below(5)) {
    case 0:
      tensor->set_data_type(static_cast<int32_t>(Below(28)));
      break;
    case 1:
      if (tensor->dims_size() == 0) break;
      tensor->set_dims(static_cast<int>(Below(static_cast<size_t>(tensor->dims_size()))), Number());
      break;
    case 2:
      tensor->add_dims(Below(2) == 0 ? 1 : Number());
      break;
    case 3:
      if (tensor->dims_size() > 0) tensor->mutable_dims()->RemoveLast();
      break;
    default: {
      // The contents: whole bytes, as sizes and axes lie in constants.
      std::string bytes = tensor->raw_data();
      if (bytes.empty()) break;
      bytes[Below(bytes.size())] = static_cast<char>(Below(2) == 0 ? 0xff : Below(256));
      tensor->set_raw_data(bytes);
      break;
    }
  }
}

void MessageMutator::ChangeType(::onnx::TypeProto* type) {
  ::onnx::TypeProto::Tensor* const tensor = type->mutable_tensor_type();
  switch (Below(4)) {
    case 0:
      tensor->set_elem_type(static_cast<int32_t>(Below(28)));
      break;
    case 1:
      if (tensor->shape().dim_size() == 0) break;
      tensor->mutable_shape()
          ->mutable_dim(static_cast<int>(Below(static_cast<size_t>(tensor->shape().dim_size()))))
          ->set_dim_value(Number());
      break;
    case 2:
      tensor->mutable_shape()->add_dim()->set_dim_value(Number());
      break;
    default:
      if (Below(2) == 0) {
        tensor->clear_shape();
      } else if (tensor->shape().dim_size() > 0) {
        tensor->mutable_shape()->mutable_dim()->RemoveLast();
      }
      break;
  }
}

void MessageMutator::ChangeAttribute(::onnx::AttributeProto* attribute) {
  if (attribute->has_t() && Below(4) != 0) return ChangeTensor(attribute->mutable_t());
  switch (Below(6)) {
    case 0:
      attribute->set_i(Number());
      break;
    case 1: {
      constexpr float kReals[] = {
          0, -1, 1e30f, -1e-30f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
      attribute->set_f(kReals[Below(std::size(kReals))]);
      break;
    }
    case 2:
      attribute->set_s(Below(2) == 0 ? "" : operators_[Below(operators_.size())]);
      break;
    case 3:
      if (attribute->ints_size() == 0) {
        attribute->add_ints(Number());
      } else {
        attribute->set_ints(static_cast<int>(Below(static_cast<size_t>(attribute->ints_size()))), Number());
      }
      break;
    case 4:
      if (Below(2) == 0) {
        attribute->add_ints(Number());
      } else if (attribute->ints_size() > 0) {
        attribute->mutable_ints()->RemoveLast();
      }
      break;
    default:
      attribute->set_type(static_cast<::onnx::AttributeProto::AttributeType>(Below(9)));
      break;
  }
}

void MessageMutator::ChangeNode(::onnx::NodeProto* node) {
  const auto inputs = static_cast<size_t>(node->input_size());
  switch (Below(9)) {
    case 0:
    case 1:
    case 2:
      if (node->attribute_size() == 0) break;
      ChangeAttribute(node->mutable_attribute(static_cast<int>(Below(static_cast<size_t>(node->attribute_size())))));
      break;
    case 3:
      if (node->attribute_size() > 0) node->mutable_attribute()->RemoveLast();
      break;
    case 4:
      node->set_op_type(operators_[Below(operators_.size())]);
      break;
    case 5:
      if (inputs > 0) node->mutable_input()->RemoveLast();
      break;
    case 6:
      if (inputs > 0) node->set_input(static_cast<int>(Below(inputs)), "");
      break;
    case 7:
      if (inputs == 0) break;
      node->set_input(static_cast<int>(Below(inputs)), node->input(static_cast<int>(Below(inputs))));
      if (Below(2) == 0) node->add_input(node->input(static_cast<int>(Below(inputs))));
      break;
    default:
      node->add_output("extra");
      break;
  }
}

void MessageMutator::Change(::onnx::ModelProto* model) {
  ::onnx::GraphProto* const graph = model->mutable_graph();
  switch (Below(8)) {
    case 0:
      if (graph->input_size() == 0) break;
      ChangeType(
          graph->mutable_input(static_cast<int>(Below(static_cast<size_t>(graph->input_size()))))->mutable_type());
      break;
    case 1:
    case 2:
      if (graph->initializer_size() == 0) break;
      ChangeTensor(graph->mutable_initializer(static_cast<int>(Below(static_cast<size_t>(graph->initializer_size())))));
      break;
    case 3:
      model->mutable_opset_import(0)->set_version(static_cast<int64_t>(Below(29)));
      break;
    default: {
      std::vector<::onnx::NodeProto*> nodes;
      CollectNodes(graph, 0, &nodes);
      if (!nodes.empty()) ChangeNode(nodes[Below(nodes.size())]);
      break;
    }
  }
}

std::string MessageMutator::Mutate(const std::string& file) {
  ::onnx::ModelProto model;
  if (!model.ParseFromString(file) || model.opset_import_size() == 0) return file;
  for (size_t changes = 1 + Below(3); changes > 0; --changes) Change(&model);
  return model.SerializeAsString();
}

}  // namespace burin::onnx

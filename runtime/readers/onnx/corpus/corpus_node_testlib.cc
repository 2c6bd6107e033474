#include "runtime/readers/onnx/corpus/corpus_node_testlib.h"

#include <utility>

#include "ir/ops/op_testlib.h"

namespace burin::onnx {
namespace {

int64_t CountOf(const ir::Shape& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

void AddAttribute(::onnx::NodeProto& node, const CorpusAttribute& attribute) {
  if (const auto* const number = std::get_if<int64_t>(&attribute.value)) {
    SetInt(node, attribute.name, *number);
  } else if (const auto* const real = std::get_if<double>(&attribute.value)) {
    SetFloat(node, attribute.name, static_cast<float>(*real));
  } else if (const auto* const text = std::get_if<std::string>(&attribute.value)) {
    SetString(node, attribute.name, *text);
  } else if (const auto* const numbers = std::get_if<std::vector<int64_t>>(&attribute.value)) {
    SetInts(node, attribute.name, *numbers);
  } else {
    SetTensor(node, attribute.name, std::get<ir::Tensor>(attribute.value));
  }
}

}  // namespace

SingleNode CorpusNode(const std::string& op, int64_t opset, std::vector<ir::Tensor> inputs,
                      std::vector<CorpusAttribute> attributes, std::vector<int> outputs) {
  return SingleNode(op, opset)
      .Inputs(std::move(inputs))
      .Outputs(std::move(outputs))
      .With([attributes = std::move(attributes)](::onnx::NodeProto& node) {
        for (const CorpusAttribute& attribute : attributes) AddAttribute(node, attribute);
      });
}

ir::Tensor Ascending(const ir::Shape& shape) {
  std::vector<double> values(static_cast<size_t>(CountOf(shape)));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i + 1) / static_cast<double>(values.size());
  return ir::F32(shape, values);
}

ir::Tensor Filled(const ir::Shape& shape, double value) {
  return ir::F32(shape, std::vector<double>(static_cast<size_t>(CountOf(shape)), value));
}

}  // namespace burin::onnx

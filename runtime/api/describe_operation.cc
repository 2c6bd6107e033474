#include "runtime/api/describe_operation.h"

#include <utility>

#include "ir/forms/attribute_text.h"

namespace burin {

namespace {

// Constants of more elements show a hash instead: an operation is to be looked at.
constexpr int64_t kMaxElements = 64;

}  // namespace

Operation DescribeOperation(const ir::Model& model, ir::NodeId id) {
  const ir::Node& node = model.node(id);
  Operation operation;
  operation.name = node.name();
  operation.type = node.op().name;
  operation.opset = node.op().opset;
  for (const ir::Value& input : node.inputs()) {
    if (!input.exists()) {
      operation.inputs.emplace_back();
      continue;
    }
    operation.inputs.push_back(Operation::Input{model.node(input.node).name(), static_cast<size_t>(input.output)});
  }
  for (int64_t i = 0; i < node.output_count(); ++i) {
    operation.outputs.push_back(Operation::Output{node.output_names(i), node.output(i).type, node.output(i).shape});
  }
  for (auto& [name, text] : ir::AttributeTextsOf(node.attributes(), kMaxElements)) {
    operation.attributes.emplace(name, std::move(text));
  }
  operation.original_names = node.original_names();
  operation.runtime_info = node.runtime_info();
  return operation;
}

}  // namespace burin

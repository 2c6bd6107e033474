#include "runtime/readers/onnx/node_context.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "runtime/readers/onnx/data_type.h"

namespace burin::onnx {

NodeContext::NodeContext(const Environment& environment, const NodeMessage& node, std::string name,
                         std::vector<ir::Value> inputs, int64_t opset, int64_t since, const ir::OpDef* op)
    : GraphBuilder(environment.model, environment.budget, name, name),
      environment_(environment),
      node_(node),
      inputs_(std::move(inputs)),
      opset_(opset),
      since_(since),
      op_(op) {}

ir::Value NodeContext::Input(int64_t i) {
  if (!HasInput(i)) {
    Fail(absl::InvalidArgumentError(absl::StrCat("A required input is absent: input ", i)));
    return ir::Value::None();
  }
  return inputs_[static_cast<size_t>(i)];
}

std::shared_ptr<const Container> NodeContext::ContainerInput(int64_t i) const {
  const size_t place = static_cast<size_t>(i);
  return place < environment_.containers.size() ? environment_.containers[place] : nullptr;
}

const AttributeMessage* NodeContext::Find(absl::string_view name) {
  for (const AttributeMessage& attribute : node_.attributes) {
    if (attribute.name != name) continue;
    if (attribute.reference.empty()) return &attribute;
    if (environment_.frame == nullptr) {
      Fail(absl::InvalidArgumentError(
          absl::StrCat("An attribute refers to a function's attribute outside any function: ", name)));
      return nullptr;
    }
    const auto found = environment_.frame->find(attribute.reference);
    return found == environment_.frame->end() ? nullptr : found->second;
  }
  return nullptr;
}

const AttributeMessage* NodeContext::TypedAttribute(absl::string_view name, AttributeMessage::Type type) {
  const AttributeMessage* const attribute = Find(name);
  if (attribute == nullptr || attribute->type == type) return attribute;
  Fail(absl::InvalidArgumentError(absl::StrCat("An attribute has the wrong type: ", name, ", expected type ",
                                               static_cast<int>(type), ", got ", static_cast<int>(attribute->type))));
  return nullptr;
}

int64_t NodeContext::IntAttribute(absl::string_view name, int64_t fallback) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kInt);
  return attribute == nullptr ? fallback : attribute->i;
}

ElementType NodeContext::ElementTypeAttribute(absl::string_view name, ElementType fallback) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kInt);
  if (attribute == nullptr) return fallback;
  const absl::StatusOr<ElementType> type = ElementTypeFromOnnx(attribute->i);
  Fail(type.status());
  return type.ok() ? *type : fallback;
}

double NodeContext::FloatAttribute(absl::string_view name, double fallback) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kFloat);
  return attribute == nullptr ? fallback : static_cast<double>(attribute->f);
}

std::string NodeContext::StringAttribute(absl::string_view name, absl::string_view fallback) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kString);
  return std::string(attribute == nullptr ? fallback : attribute->s);
}

std::vector<int64_t> NodeContext::IntsAttribute(absl::string_view name, std::vector<int64_t> fallback) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kInts);
  return attribute == nullptr ? std::move(fallback) : attribute->ints;
}

std::vector<double> NodeContext::FloatsAttribute(absl::string_view name, std::vector<double> fallback) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kFloats);
  if (attribute == nullptr) return fallback;
  return std::vector<double>(attribute->floats.begin(), attribute->floats.end());
}

ir::Tensor NodeContext::TensorAttribute(absl::string_view name) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kTensor);
  if (attribute == nullptr || attribute->tensor == nullptr) {
    Fail(absl::InvalidArgumentError(absl::StrCat("A tensor attribute is missing: ", name)));
    return ir::Tensor();
  }
  absl::StatusOr<ir::Tensor> tensor = tensors().Import(*attribute->tensor);
  if (!tensor.ok()) {
    Fail(tensor.status());
    return ir::Tensor();
  }
  return *std::move(tensor);
}

const GraphMessage* NodeContext::GraphAttribute(absl::string_view name) {
  const AttributeMessage* const attribute = TypedAttribute(name, AttributeMessage::Type::kGraph);
  if (attribute == nullptr || attribute->graph == nullptr) {
    Fail(absl::InvalidArgumentError(absl::StrCat("A graph attribute is missing: ", name)));
    return nullptr;
  }
  return attribute->graph.get();
}

void NodeContext::SetOutput(int64_t i, ir::Value value) {
  if (i >= static_cast<int64_t>(outputs_.size())) outputs_.resize(static_cast<size_t>(i) + 1);
  outputs_[static_cast<size_t>(i)] = value;
}

void NodeContext::SetBinding(int64_t i, Binding binding) {
  SetOutput(i, binding.value);
  if (binding.container == nullptr) return;
  Fail(budget().Charge(binding.container->elements.size() * sizeof(ir::Value)));
  output_containers_.resize(outputs_.size());
  output_containers_[static_cast<size_t>(i)] = std::move(binding.container);
}

Binding NodeContext::OutputBinding(int64_t i) const {
  const size_t place = static_cast<size_t>(i);
  Binding binding;
  if (place < outputs_.size()) binding.value = outputs_[place];
  if (place < output_containers_.size()) binding.container = output_containers_[place];
  return binding;
}

absl::Status NodeContext::Finish(std::vector<ir::Value> outputs) {
  outputs_ = std::move(outputs);
  return status();
}

absl::Status NodeContext::Unsupported(absl::string_view what) {
  Fail(absl::UnimplementedError(what));
  return status();
}

absl::Status NodeContext::Invalid(absl::string_view what) {
  Fail(absl::InvalidArgumentError(what));
  return status();
}

}  // namespace burin::onnx

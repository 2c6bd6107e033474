#include "runtime/readers/onnx/scope.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/ops/constant.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"

namespace burin::onnx {
namespace {

// What a constant or a parameter takes in the model besides its elements.
constexpr uint64_t kNodeBytes = 1024;

}  // namespace

absl::Status Scope::CheckNew(absl::string_view name) const {
  if (name.empty()) return absl::InvalidArgumentError("A value has an empty name");
  if (values_.contains(name) || initializers_.contains(name)) {
    return absl::InvalidArgumentError(absl::StrCat("Two values of one graph have the same name: \"", name, "\""));
  }
  return absl::OkStatus();
}

absl::Status Scope::Define(absl::string_view name, Binding binding) {
  BURIN_RETURN_IF_ERROR(CheckNew(name));
  values_.emplace(std::string(name), binding);
  if (!binding.usable || !binding.value.exists() || !names_outputs_) return absl::OkStatus();
  std::vector<std::string> names = model_->node(binding.value.node).output_names(binding.value.output);
  for (const std::string& known : names) {
    if (known == name) return absl::OkStatus();
  }
  names.emplace_back(name);
  model_->SetOutputNames(binding.value, std::move(names));
  return absl::OkStatus();
}

absl::Status Scope::DefineInitializer(absl::string_view name, const TensorMessage* tensor) {
  BURIN_RETURN_IF_ERROR(CheckNew(name));
  initializers_[name].dense = tensor;
  return absl::OkStatus();
}

absl::Status Scope::DefineInitializer(absl::string_view name, const SparseTensorMessage* tensor) {
  BURIN_RETURN_IF_ERROR(CheckNew(name));
  initializers_[name].sparse = tensor;
  return absl::OkStatus();
}

bool Scope::Knows(absl::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (scope->values_.contains(name) || scope->initializers_.contains(name)) return true;
  }
  return false;
}

absl::StatusOr<std::optional<Scope::Binding>> Scope::Find(absl::string_view name) {
  const auto known = values_.find(name);
  if (known != values_.end()) return known->second;
  const auto initializer = initializers_.find(name);
  if (initializer != initializers_.end()) {
    BURIN_ASSIGN_OR_RETURN(const Binding binding, Materialize(name, initializer->second));
    values_.emplace(std::string(name), binding);
    return binding;
  }
  if (parent_ == nullptr) return std::optional<Binding>();
  BURIN_ASSIGN_OR_RETURN(const std::optional<Binding> outer, parent_->Find(name));
  if (!outer.has_value() || !outer->usable || model_ == parent_->model_) return outer;
  BURIN_ASSIGN_OR_RETURN(const Binding binding, Capture(name, *outer));
  values_.emplace(std::string(name), binding);
  return binding;
}

absl::StatusOr<Scope::Binding> Scope::AddConstant(absl::string_view name, ir::Tensor tensor) {
  BURIN_RETURN_IF_ERROR(budget_->Charge(kNodeBytes + 2 * name.size() + 8 * tensor.shape().size()));
  ir::NodeSpec spec;
  spec.op = &ir::ConstantOp();
  auto attributes = std::make_unique<ir::ConstantAttributes>();
  attributes->value = std::move(tensor);
  spec.attributes = std::move(attributes);
  spec.name = std::string(name);
  spec.original_names = {std::string(name)};
  if (names_outputs_) spec.output_names = {{std::string(name)}};
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, model_->AddNode(std::move(spec)));
  return Binding{ir::Value{id, 0}};
}

absl::StatusOr<Scope::Binding> Scope::Materialize(absl::string_view name, const Initializer& initializer) {
  absl::StatusOr<ir::Tensor> tensor =
      initializer.dense != nullptr ? tensors_->Import(*initializer.dense) : tensors_->Import(*initializer.sparse);
  if (!tensor.ok()) return tensor.status();
  return AddConstant(name, *std::move(tensor));
}

absl::StatusOr<Scope::Binding> Scope::Capture(absl::string_view name, const Binding& outer) {
  if (outer.container != nullptr) {
    auto container = std::make_shared<Container>(*outer.container);
    for (size_t i = 0; i < container->elements.size(); ++i) {
      ir::Value& element = container->elements[i];
      BURIN_ASSIGN_OR_RETURN(const Binding captured, Capture(absl::StrCat(name, "/", i), Binding{element}));
      element = captured.value;
    }
    Binding binding;
    binding.container = std::move(container);
    return binding;
  }
  const ir::Node& node = parent_->model_->node(outer.value.node);
  if (node.code() == ir::OpCode::kConstant) {
    return AddConstant(name, node.attributes_as<ir::ConstantAttributes>().value);
  }
  const ir::ValueInfo& info = node.output(outer.value.output);
  const uint64_t rank = static_cast<uint64_t>(info.shape.has_rank() ? info.shape.rank() : 0);
  BURIN_RETURN_IF_ERROR(budget_->Charge(kNodeBytes + 2 * name.size() + 2 * rank * sizeof(ir::Dimension)));
  BURIN_ASSIGN_OR_RETURN(const ir::Value value, model_->AddParameter(std::string(name), info.type, info.shape));
  captures_.push_back(outer.value);
  return Binding{value};
}

}  // namespace burin::onnx

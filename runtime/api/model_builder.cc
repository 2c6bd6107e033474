#include "runtime/api/model_builder.h"

#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/forms/attribute_text.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/constant.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"

namespace burin {

ModelBuilder::ModelBuilder(const std::string& name) : graph_(std::make_unique<ir::Model>(name)) {}
ModelBuilder::~ModelBuilder() = default;
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;

void ModelBuilder::Note(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

ModelBuilder::Value ModelBuilder::Add(ir::NodeSpec spec, const std::vector<Value>& inputs) {
  const Value failed(graph_.get(), -1, 0);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Value& input = inputs[i];
    if (input.model_ == nullptr) {
      spec.inputs.push_back(ir::Value::None());
      continue;
    }
    if (input.model_ != graph_.get()) {
      Note(absl::InvalidArgumentError(
          absl::StrCat("Node '", spec.name, "' (", spec.op->name, "): Input ", i, " is a value of another builder")));
      return failed;
    }
    // What could not be added has been noted.
    if (input.node_ < 0) return failed;
    spec.inputs.push_back(ir::Value{static_cast<ir::NodeId>(input.node_), input.output_});
  }
  const absl::StatusOr<ir::NodeId> id = graph_->AddNode(std::move(spec));
  if (!id.ok()) {
    Note(id.status());
    return failed;
  }
  return Value(graph_.get(), ir::Index(*id), 0);
}

ModelBuilder::Value ModelBuilder::Parameter(const std::string& name, ElementType type, const PartialShape& shape) {
  auto attributes = std::make_unique<ir::ParameterAttributes>();
  attributes->element_type = type;
  attributes->shape = shape;
  ir::NodeSpec spec;
  spec.op = &ir::ParameterOp();
  spec.attributes = std::move(attributes);
  spec.name = name;
  return Add(std::move(spec), {});
}

ModelBuilder::Value ModelBuilder::Constant(const Tensor& value, const std::string& name) {
  auto attributes = std::make_unique<ir::ConstantAttributes>();
  attributes->value = value;
  ir::NodeSpec spec;
  spec.op = &ir::ConstantOp();
  spec.attributes = std::move(attributes);
  spec.name = name;
  return Add(std::move(spec), {});
}

ModelBuilder::Value ModelBuilder::Op(const std::string& type, const std::vector<Value>& inputs,
                                     const Attributes& attributes, const std::string& name,
                                     const std::vector<Model>& bodies) {
  ir::NodeSpec spec;
  spec.name = name;
  spec.op = ir::FindOp(type);
  if (spec.op == nullptr) {
    Note(absl::InvalidArgumentError(absl::StrCat("Node '", name, "': No such op: '", type, "'")));
    return Value(graph_.get(), -1, 0);
  }
  spec.attributes = spec.op->make_attributes();
  for (const auto& [key, text] : attributes) {
    const absl::Status status = ir::ParseAttribute(key, text, spec.attributes.get());
    if (status.ok()) continue;
    Note(WithContext(status, absl::StrCat("Node '", name.empty() ? type : name, "' (", type, ")")));
    return Value(graph_.get(), -1, 0);
  }
  for (const Model& body : bodies) spec.bodies.push_back(body.graph().Clone());
  return Add(std::move(spec), inputs);
}

void ModelBuilder::Result(const Value& value, const std::string& name) {
  ir::NodeSpec spec;
  spec.op = &ir::ResultOp();
  spec.name = name;
  Add(std::move(spec), {value});
}

void ModelBuilder::AddVariable(const Variable& variable) {
  Note(graph_->AddVariable(ir::Variable{variable.id, variable.element_type, variable.shape}));
}

void ModelBuilder::SetTensorNames(const Value& value, const std::vector<std::string>& names) {
  if (value.model_ != graph_.get()) {
    Note(absl::InvalidArgumentError("Tensor names are given to no value of this builder"));
    return;
  }
  if (value.node_ < 0) return;
  const auto id = static_cast<ir::NodeId>(value.node_);
  if (!graph_->Contains(id) || value.output_ < 0 || value.output_ >= graph_->node(id).output_count()) {
    Note(absl::InvalidArgumentError(absl::StrCat("Tensor names are given to an output that there is not: output ",
                                                 value.output_, " of node '",
                                                 graph_->Contains(id) ? graph_->node(id).name() : "", "'")));
    return;
  }
  graph_->SetOutputNames(ir::Value{id, value.output_}, names);
}

absl::StatusOr<Model> ModelBuilder::Build() const {
  BURIN_RETURN_IF_ERROR(status_);
  if (graph_->results().empty() && graph_->sinks().empty()) {
    return absl::InvalidArgumentError(absl::StrCat("The model has no output: '", graph_->name(), "'"));
  }
  return Model(std::shared_ptr<ir::Model>(graph_->Clone()));
}

}  // namespace burin

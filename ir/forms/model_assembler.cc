#include "ir/forms/model_assembler.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::ir {

absl::Status IdBudget::Take(size_t ids) {
  if (ids > left_) {
    return absl::InvalidArgumentError(absl::StrCat("Node ids have gaps that are too large; ids left: ", left_));
  }
  left_ -= ids;
  return absl::OkStatus();
}

ModelAssembler::ModelAssembler(std::string name, int64_t node_count, IdBudget* budget)
    : model_(std::make_unique<Model>(std::move(name))), node_count_(node_count), budget_(budget) {}

absl::Status ModelAssembler::AddNode(NodeId id, NodeSpec spec) {
  if (model_->FindNode(spec.name) != NodeId::kNone) {
    return absl::InvalidArgumentError(absl::StrCat("Two nodes have the same name: '", absl::CEscape(spec.name), "'"));
  }
  const int64_t new_ids = int64_t{Index(id)} + 1 - model_->id_bound();
  if (new_ids > 0) BURIN_RETURN_IF_ERROR(budget_->Take(static_cast<size_t>(new_ids)));
  return model_->AddNodeWithId(id, std::move(spec), node_count_).status();
}

absl::StatusOr<std::unique_ptr<Model>> ModelAssembler::Finish(Order order) && {
  BURIN_RETURN_IF_ERROR(
      model_->SetOrder(order.parameters.has_value() ? *std::move(order.parameters) : model_->parameters(),
                       order.results.has_value() ? *std::move(order.results) : model_->results(),
                       order.sinks.has_value() ? *std::move(order.sinks) : model_->sinks()));
  return std::move(model_);
}

}  // namespace burin::ir

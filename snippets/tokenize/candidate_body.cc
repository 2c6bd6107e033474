#include "snippets/tokenize/candidate_body.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "snippets/anchor/anchored_body.h"

namespace burin::snippets {
namespace {

std::string NameOf(const ir::Model& model, absl::Span<const ir::NodeId> nodes) {
  constexpr size_t kOpsNamed = 4;
  std::string name;
  for (size_t i = 0; i < nodes.size() && i < kOpsNamed; ++i) {
    absl::StrAppend(&name, i == 0 ? "" : "_", model.node(nodes[i]).op().name);
  }
  if (nodes.size() > kOpsNamed) absl::StrAppend(&name, "_and_", nodes.size() - kOpsNamed);
  return name;
}

class BodyBuilder {
 public:
  BodyBuilder(const ir::Model& model, absl::Span<const ir::NodeId> nodes)
      : model_(model), nodes_(nodes), inside_(nodes.begin(), nodes.end()) {
    candidate_.body = std::make_unique<ir::Model>(NameOf(model, nodes));
  }

  absl::StatusOr<CandidateBody> Build() && {
    for (const ir::NodeId id : nodes_) {
      if (IsAnchor(model_.node(id).op())) BURIN_RETURN_IF_ERROR(AddAnchorInputs(model_.node(id)));
    }
    for (const ir::NodeId id : nodes_) BURIN_RETURN_IF_ERROR(AddNode(model_.node(id)));
    for (const ir::NodeId id : nodes_) BURIN_RETURN_IF_ERROR(AddResults(model_.node(id)));
    return std::move(candidate_);
  }

 private:
  // What an anchor reads lies in memory whatever its size, and is in front of what else is read.
  absl::Status AddAnchorInputs(const ir::Node& anchor) {
    for (const ir::Value& input : anchor.inputs()) {
      if (!input.exists() || inside_.contains(input.node) || values_.contains(input)) continue;
      BURIN_RETURN_IF_ERROR(AddParameter(input).status());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ir::Value> AddParameter(ir::Value value) {
    const ir::ValueInfo& info = model_.info(value);
    BURIN_ASSIGN_OR_RETURN(const ir::Value inside,
                           candidate_.body->AddParameter(model_.node(value.node).name(), info.type, info.shape));
    candidate_.inputs.push_back(value);
    values_.emplace(value, inside);
    return inside;
  }

  absl::StatusOr<ir::Value> Inside(ir::Value value) {
    const auto it = values_.find(value);
    if (it != values_.end()) return it->second;
    const ir::ValueInfo& info = model_.info(value);
    if (!IsBodyConstant(info)) return AddParameter(value);
    BURIN_ASSIGN_OR_RETURN(const ir::Value inside,
                           candidate_.body->AddConstant(info.constant, model_.node(value.node).name()));
    values_.emplace(value, inside);
    return inside;
  }

  absl::Status AddNode(const ir::Node& node) {
    ir::NodeSpec spec;
    spec.op = &node.op();
    spec.attributes = node.attributes().Clone();
    spec.name = node.name();
    spec.original_names = node.original_names();
    for (const ir::Value& input : node.inputs()) {
      ir::Value inside = ir::Value::None();
      if (input.exists()) {
        BURIN_ASSIGN_OR_RETURN(inside, Inside(input));
      }
      spec.inputs.push_back(inside);
    }
    BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, candidate_.body->AddNode(std::move(spec)));
    for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) values_[{node.id(), i}] = {id, i};
    return absl::OkStatus();
  }

  absl::Status AddResults(const ir::Node& node) {
    for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
      const ir::Value value{node.id(), i};
      const std::vector<ir::Use> uses = model_.UsesOf(value);
      const bool is_read_outside =
          std::any_of(uses.begin(), uses.end(), [this](const ir::Use& use) { return !inside_.contains(use.node); });
      if (!is_read_outside) continue;
      BURIN_RETURN_IF_ERROR(candidate_.body->AddResult(values_.at(value), absl::StrCat(node.name(), "/out")).status());
      candidate_.outputs.push_back(value);
    }
    return absl::OkStatus();
  }

  const ir::Model& model_;
  const absl::Span<const ir::NodeId> nodes_;
  const absl::flat_hash_set<ir::NodeId> inside_;
  CandidateBody candidate_;
  // By value of the model.
  absl::flat_hash_map<ir::Value, ir::Value> values_;
};

}  // namespace

bool IsBodyConstant(const ir::ValueInfo& info) {
  return info.constant.has_value() && (info.constant.element_count() <= 1 ||
                                       info.constant.byte_size() <= static_cast<size_t>(kMaxBodyConstantBytes));
}

absl::StatusOr<CandidateBody> BuildBody(const ir::Model& model, absl::Span<const ir::NodeId> nodes) {
  return BodyBuilder(model, nodes).Build();
}

}  // namespace burin::snippets

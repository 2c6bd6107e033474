#include "runtime/plugins/cpu/graph/draft_from_model.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"

namespace burin::cpu {

namespace {

ir::Cost CostOfNode(const KnownValues& known, const ir::Node& node) {
  std::vector<const ir::ValueInfo*> inputs;
  for (const ir::Value& input : node.inputs()) inputs.push_back(input.exists() ? &known.info(input) : nullptr);
  return ir::CostOf(node.op(), ir::CostContext(node.attributes(), inputs, known.outputs(node.id()), node.bodies()));
}

class Drafting {
 public:
  explicit Drafting(const ModelPart& part) : part_(part) {}

  absl::StatusOr<GraphDraft> Run() {
    for (size_t i = 0; i < part_.inputs.size(); ++i) {
      BURIN_ASSIGN_OR_RETURN(const int value, AddValue(part_.inputs[i]));
      draft_.values[value].parameter = static_cast<int>(i);
      draft_.parameters.push_back(value);
    }
    for (const ir::NodeId id : part_.nodes) {
      for (size_t i = 0; i < part_.known->outputs(id).size(); ++i) {
        BURIN_RETURN_IF_ERROR(AddValue({id, static_cast<int32_t>(i)}).status());
      }
    }
    for (const ir::NodeId id : part_.nodes) BURIN_RETURN_IF_ERROR(AddStep(part_.model->node(id)));
    for (const ir::Value& result : part_.results) {
      BURIN_ASSIGN_OR_RETURN(const int value, NumberOf(result));
      draft_.results.push_back(value);
    }
    return std::move(draft_);
  }

 private:
  absl::StatusOr<int> AddValue(ir::Value value) {
    const ir::ValueInfo& info = part_.known->info(value);
    if (info.shape.is_dynamic()) {
      return absl::FailedPreconditionError(absl::StrCat("Node ", part_.model->node(value.node).name(),
                                                        ": the shape is dynamic: ", info.shape.ToString()));
    }
    const int number = static_cast<int>(draft_.values.size());
    number_[value] = number;
    draft_.values.emplace_back().desc = {info.type, info.shape.ToShape(), Layout::kRowMajor};
    return number;
  }

  // Returns the number of a value, of a new one where it is a constant that nobody has read yet.
  absl::StatusOr<int> NumberOf(ir::Value value) {
    const auto found = number_.find(value);
    if (found != number_.end()) return found->second;
    const ir::ValueInfo& info = part_.known->info(value);
    if (!info.constant.has_value()) {
      return absl::InternalError(
          absl::StrCat("Nobody computes a value of node ", part_.model->node(value.node).name()));
    }
    BURIN_ASSIGN_OR_RETURN(const int number, AddValue(value));
    draft_.values[number].constant = info.constant;
    return number;
  }

  absl::Status AddStep(const ir::Node& node) {
    GraphStep step;
    step.origin = &node;
    step.name = node.name();
    step.op_names = node.original_names();
    for (const ir::Value& input : node.inputs()) {
      if (!input.exists()) {
        step.inputs.push_back(-1);
        continue;
      }
      BURIN_ASSIGN_OR_RETURN(const int value, NumberOf(input));
      step.inputs.push_back(value);
    }
    for (size_t i = 0; i < part_.known->outputs(node.id()).size(); ++i) {
      step.outputs.push_back(number_[ir::Value{node.id(), static_cast<int32_t>(i)}]);
    }
    step.memory.resize(step.outputs.size());
    step.cost = CostOfNode(*part_.known, node);
    draft_.steps.push_back(std::move(step));
    return absl::OkStatus();
  }

  const ModelPart& part_;
  GraphDraft draft_;
  absl::flat_hash_map<ir::Value, int> number_;
};

}  // namespace

bool Computes(const ir::Node& node) {
  const ir::OpCode code = node.code();
  return code != ir::OpCode::kConstant && code != ir::OpCode::kParameter && code != ir::OpCode::kResult;
}

ModelPart WholeOf(const ir::Model& model, const KnownValues& known) {
  ModelPart part{&model, &known, {}, {}, {}};
  for (const ir::NodeId id : model.NodeIds()) {
    if (Computes(model.node(id)) && !known.AreConstant(id)) part.nodes.push_back(id);
  }
  for (const ir::NodeId parameter : model.parameters()) part.inputs.push_back({parameter, 0});
  for (const ir::NodeId result : model.results()) part.results.push_back(model.node(result).input(0));
  return part;
}

absl::StatusOr<GraphDraft> DraftFromPart(const ModelPart& part) { return Drafting(part).Run(); }

absl::StatusOr<GraphDraft> DraftFromModel(const ir::Model& model) {
  const KnownValues known = KnownValues::Recorded(model);
  return DraftFromPart(WholeOf(model, known));
}

}  // namespace burin::cpu

#include "transformations/control_flow/inline_body.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/parameter.h"
#include "ir/partial_shape.h"
#include "transformations/matcher/facts.h"

namespace burin::transformations {

using ir::OpCode;

absl::Status CheckInlinable(const ir::Model& body) {
  if (body.variables().empty() && body.sinks().empty()) return absl::OkStatus();
  return absl::FailedPreconditionError("the body has variables of its own");
}

bool DeclaresNothingNew(const ir::Model& body, absl::Span<const ir::ValueInfo* const> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto& declared = body.node(body.parameters()[i]).attributes_as<ir::ParameterAttributes>();
    ir::PartialShape nameless = declared.shape;
    for (int64_t d = 0; nameless.has_rank() && d < nameless.rank(); ++d) {
      nameless[d] = ir::Dimension(nameless[d].min(), nameless[d].max());
    }
    if (!SaysAsMuchAs(arguments[i]->shape, nameless)) return false;
  }
  return true;
}

ir::NodeId BodyInliner::Add(const ir::Node& node, std::vector<ir::Value> inputs, absl::string_view suffix) {
  ir::NodeSpec spec;
  spec.op = &node.op();
  spec.attributes = node.attributes().Clone();
  spec.inputs = std::move(inputs);
  spec.name = absl::StrCat(node.name(), suffix);
  spec.original_names = node.original_names();
  spec.runtime_info = node.runtime_info();
  for (const auto& nested : node.bodies()) spec.bodies.push_back(nested->Clone());
  return patch_.AddNode(std::move(spec));
}

absl::StatusOr<std::vector<ir::Value>> BodyInliner::Inline(absl::Span<const ir::Value> arguments,
                                                           absl::string_view suffix) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body_.TopologicalOrder());
  absl::flat_hash_map<ir::NodeId, ir::Value> parameters;
  for (size_t i = 0; i < arguments.size(); ++i) parameters[body_.parameters()[i]] = arguments[i];
  const auto outside = [this, &parameters](ir::Value value) {
    if (!value.exists()) return value;
    if (const auto it = parameters.find(value.node); it != parameters.end()) return it->second;
    return ir::Value{copies_[value.node].id, value.output};
  };
  for (const ir::NodeId id : order) {
    const ir::Node& node = body_.node(id);
    if (node.code() == OpCode::kParameter || node.code() == OpCode::kResult) continue;
    std::vector<ir::Value> inputs;
    for (const ir::Value& input : node.inputs()) inputs.push_back(outside(input));
    Copy& copy = copies_[id];
    const bool same = copy.id != ir::NodeId::kNone && copy.inputs == inputs && !node.op().Has(ir::kImpure);
    if (same) continue;
    copy.inputs = inputs;
    copy.id = Add(node, std::move(inputs), suffix);
  }
  std::vector<ir::Value> results;
  for (const ir::NodeId id : body_.results()) results.push_back(outside(body_.node(id).input(0)));
  return results;
}

}  // namespace burin::transformations

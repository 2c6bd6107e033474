// If(condition, x...) => the nodes of the body that is taken, where the condition is known.
//
// Only the taken body is looked at. Bodies within it move along as they are. Guards: variables cannot move; a parameter
// that declares more of its shape than is known outside would be missed by those who read it, model outputs among them.
// Its own checks at run time go with a parameter: a model that fails there is not one that runs.
//
// The number of Ifs, bodies included, decreases.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/if.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "transformations/control_flow/inline_body.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"

namespace burin::transformations {

absl::StatusOr<std::optional<ir::Patch>> InlineIf(const ir::Model& model, ir::NodeId id,
                                                  const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kIf) return std::nullopt;
  const ir::ValueInfo& condition = model.info(node.input(0));
  if (!condition.constant.has_value()) return Decline(context, id, "the condition is not known");
  if (!model.IsRead(id)) return Decline(context, id, "nobody reads it");
  const auto& attributes = node.attributes_as<ir::IfAttributes>();
  const bool holds = LoadAsInt64(ElementType::kBoolean, condition.constant.data(), 0) != 0;
  const ir::Model& body = *node.bodies()[holds ? 0 : 1];
  if (const absl::Status status = CheckInlinable(body); !status.ok()) return Decline(context, id, status.message());

  std::vector<ir::Value> arguments;
  std::vector<const ir::ValueInfo*> infos;
  for (const int64_t input : holds ? attributes.then_inputs : attributes.else_inputs) {
    arguments.push_back(node.input(input));
    infos.push_back(&model.info(node.input(input)));
  }
  if (!DeclaresNothingNew(body, infos)) return Decline(context, id, "a parameter of the body declares more of a shape");

  ir::Patch patch(model);
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Value> results, BodyInliner(body, &patch).Inline(arguments, ""));
  const std::vector<int64_t>& ports = holds ? attributes.then_outputs : attributes.else_outputs;
  for (int32_t i = 0; i < node.output_count(); ++i) {
    // Without a port map the results are the outputs in their order.
    const auto result = static_cast<size_t>(ports.empty() ? i : ports[static_cast<size_t>(i)]);
    patch.Replace(ir::Value{id, i}, results[result]);
  }
  return patch;
}

}  // namespace burin::transformations

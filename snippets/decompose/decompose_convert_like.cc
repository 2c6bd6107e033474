// ConvertLike(x, y) => Convert(x) to the element type of y
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/convert.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeConvertLike(const ir::Model& model, ir::NodeId id,
                                                              const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kConvertLike) return std::nullopt;
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = node.output(0).type;
  ir::Patch patch(model);
  patch.Replace(ir::Value{id, 0}, patch.Add(ir::ConvertOp(), {node.input(0)}, std::move(attributes)));
  return patch;
}

}  // namespace burin::snippets

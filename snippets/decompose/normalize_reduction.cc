// Reduce(x, axes) => Reduce(x, sorted axes), with Squeeze behind it where the reduced dimensions go; x for no axes
//
// For the reductions that are primitive. Axes from the end become those from the front.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/primitive.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> NormalizeReduction(const ir::Model& model, ir::NodeId id,
                                                            const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (!IsPrimitiveReduction(node.code())) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstantAxes(model, node));
  const bool keep_dims = node.attributes_as<ir::ReductionAttributes>().keep_dims;
  const ir::ValueInfo& given = model.info(node.input(1));
  const bool is_list = given.constant.element_type() == ElementType::kI64 && given.shape.rank() == 1;
  const bool is_normal = keep_dims && !axes.empty() && is_list && ConstantIntegers(model, node, 1) == axes;
  if (is_normal) return std::nullopt;
  Formula f(model, node);
  // The reduction rounds its result by itself.
  ir::Value value = f.Reduce(node.op(), node.input(0), axes);
  if (!keep_dims) value = f.Squeeze(value, axes);
  return std::move(f).ReplaceWithFinished(value);
}

}  // namespace burin::snippets

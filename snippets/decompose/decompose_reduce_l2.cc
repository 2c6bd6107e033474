// ReduceL2(x) => Sqrt(ReduceSum(x * x))
//
// For floats alone: of integers the definition sums in 64 bits.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeReduceL2(const ir::Model& model, ir::NodeId id,
                                                           const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kReduceL2) return std::nullopt;
  if (!IsFloat(model.info(node.input(0)).type)) return CannotDecompose("A sum of squares of integers", node);
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstantAxes(model, node));
  Formula f(model, node);
  const ir::Value x = f.Input(0);
  const ir::Value sum = f.Reduce(ir::ReduceSumOp(), f.Apply(ir::MultiplyOp(), {x, x}), axes);
  ir::Value root = f.Apply(ir::SqrtOp(), {sum});
  if (!node.attributes_as<ir::ReductionAttributes>().keep_dims) root = f.Squeeze(root, axes);
  return std::move(f).ReplaceWith(root);
}

}  // namespace burin::snippets

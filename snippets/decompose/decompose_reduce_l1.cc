// ReduceL1(x) => ReduceSum(Abs(x)); of unsigned integers, ReduceSum(x)
//
// The magnitude of the least integer wraps to itself, which is the same modulo 2^bits, as the sum is.
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

absl::StatusOr<std::optional<ir::Patch>> DecomposeReduceL1(const ir::Model& model, ir::NodeId id,
                                                           const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kReduceL1) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstantAxes(model, node));
  Formula f(model, node);
  ir::Value magnitude = f.Input(0);
  if (!IsUnsignedInteger(f.type())) magnitude = f.Apply(ir::AbsOp(), {magnitude});
  ir::Value sum = f.Reduce(ir::ReduceSumOp(), magnitude, axes);
  if (!node.attributes_as<ir::ReductionAttributes>().keep_dims) sum = f.Squeeze(sum, axes);
  return std::move(f).ReplaceWith(sum);
}

}  // namespace burin::snippets

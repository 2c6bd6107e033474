// Softmax(x) => e / ReduceSum(e), e = Exp(x - ReduceMax(x))
//
// The quotient is a product with 1 / sum, which is one division per slice. A slice of infinities gives NaN, as the
// definition does: its maximum is subtracted from itself.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/ops/softmax.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeSoftmax(const ir::Model& model, ir::NodeId id,
                                                          const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kSoftmax) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, node.input(0), node));
  const int64_t axis = node.attributes_as<ir::SoftmaxAttributes>().axis;
  const std::vector<int64_t> axes = {axis < 0 ? axis + rank : axis};
  Formula f(model, node);
  const ir::Value x = f.Input(0);
  const ir::Value shifted = f.Apply(ir::SubtractOp(), {x, f.Reduce(ir::ReduceMaxOp(), x, axes)});
  const ir::Value exponential = f.Apply(ir::ExpOp(), {shifted});
  const ir::Value sum = f.Reduce(ir::ReduceSumOp(), exponential, axes);
  const ir::Value reciprocal = f.Apply(ir::DivideOp(), {f.Number(1), sum});
  return std::move(f).ReplaceWith(f.Apply(ir::MultiplyOp(), {exponential, reciprocal}));
}

}  // namespace burin::snippets

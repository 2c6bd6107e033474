// LogSoftmax(x) => s - Log(ReduceSum(Exp(s))), s = x - ReduceMax(x)
//
// A slice of infinities gives NaN, as the definition does.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/log_softmax.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeLogSoftmax(const ir::Model& model, ir::NodeId id,
                                                             const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kLogSoftmax) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, node.input(0), node));
  const int64_t axis = node.attributes_as<ir::LogSoftmaxAttributes>().axis;
  const std::vector<int64_t> axes = {axis < 0 ? axis + rank : axis};
  Formula f(model, node);
  const ir::Value x = f.Input(0);
  const ir::Value shifted = f.Apply(ir::SubtractOp(), {x, f.Reduce(ir::ReduceMaxOp(), x, axes)});
  const ir::Value sum = f.Reduce(ir::ReduceSumOp(), f.Apply(ir::ExpOp(), {shifted}), axes);
  return std::move(f).ReplaceWith(f.Apply(ir::SubtractOp(), {shifted, f.Apply(ir::LogOp(), {sum})}));
}

}  // namespace burin::snippets

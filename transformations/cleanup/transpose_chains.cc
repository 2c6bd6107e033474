// Transpose(Transpose(x, a), b) => Transpose(x, a[b]), or x where that is the order of x.
//
// The inner Transpose stays for those who read it besides. The number of Transposes above a Transpose decreases.
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/cleanup/permutation.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {

absl::StatusOr<std::optional<ir::Patch>> TransposeChains(const ir::Model& model, ir::NodeId node,
                                                         const ir::PassContext& context) {
  static const auto* const chain =
      new Pattern(Op(ir::OpCode::kTranspose)
                      .Capture("outer")
                      .Input(0, Op(ir::OpCode::kTranspose).Capture("inner").Input(0, Any().Capture("x"))));
  const std::optional<Match> match = MatchAt(*chain, model, node, context);
  if (!match.has_value()) return std::nullopt;
  const std::optional<Permutation> inner = OrderOf(model, match->node("inner"));
  const std::optional<Permutation> outer = OrderOf(model, match->node("outer"));
  if (!inner.has_value() || !outer.has_value()) return Decline(context, node, "an order is not known");
  const Permutation order = Compose(*inner, *outer);
  ir::Patch patch(model);
  if (IsIdentity(order)) {
    patch.Replace(match->value("outer"), match->value("x"));
    return patch;
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor list, IntegerList(order));
  ir::NodeSpec merged;
  merged.op = &ir::TransposeOp();
  merged.inputs = {match->value("x"), patch.AddConstant(std::move(list))};
  merged.runtime_info = DecompressionMarkOf(match->node("outer"));
  patch.Replace(match->value("outer"), ir::Value{patch.AddNode(std::move(merged)), 0});
  return patch;
}

}  // namespace burin::transformations

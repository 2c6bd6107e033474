// Transpose(Transpose(x, a), b) => Transpose(x, a[b]), or x where that is the order of x.
//
// The inner Transpose stays for those who read it besides. The number of Transposes above a Transpose decreases.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// Returns the permutation that a Transpose makes, spelled out; nullopt where it is not known.
std::optional<std::vector<int64_t>> OrderOf(const ir::Model& model, const ir::Node& transpose) {
  std::optional<std::vector<int64_t>> order = ExactIntegers(model.info(transpose.input(1)));
  if (!order.has_value() || !order->empty()) return order;
  const ir::PartialShape& shape = model.info(transpose.input(0)).shape;
  if (!shape.has_rank()) return std::nullopt;
  for (int64_t d = shape.rank(); d-- > 0;) order->push_back(d);
  return order;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> TransposeChains(const ir::Model& model, ir::NodeId node,
                                                         const ir::PassContext& context) {
  static const auto* const chain =
      new Pattern(Op(OpCode::kTranspose)
                      .Capture("outer")
                      .Input(0, Op(OpCode::kTranspose).Capture("inner").Input(0, Any().Capture("x"))));
  const std::optional<Match> match = MatchAt(*chain, model, node, context);
  if (!match.has_value()) return std::nullopt;
  const std::optional<std::vector<int64_t>> inner = OrderOf(model, match->node("inner"));
  const std::optional<std::vector<int64_t>> outer = OrderOf(model, match->node("outer"));
  if (!inner.has_value() || !outer.has_value()) return Decline(context, node, "an order is not known");
  std::vector<int64_t> order;
  for (const int64_t d : *outer) order.push_back((*inner)[static_cast<size_t>(d)]);
  ir::Patch patch(model);
  // A sorted permutation is that of the dimensions as they are.
  if (std::is_sorted(order.begin(), order.end())) {
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

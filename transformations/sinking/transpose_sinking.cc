// f(Transpose(x, p), ...) => Transpose(f'(x, ...), q): Transposes move down, until they meet others and cancel.
//
// untransposed.h says for which f, and what f' and q are. The rule fires where that executes no more Transposes than
// before, which is decided by what lies next to f:
//
//   gone   the Transposes above f that nobody else reads, but for other Transposes, which the pass for chains merges
//   come   the outputs of f that still need a Transpose: they are read, and not by Transposes alone, with which the new
//          one would merge, and the dimensions left do not stand in their order anyway
//
// It fires for come <= gone: one Transpose for one, or for several alike; or none at all, with readers besides f that
// keep theirs. A Convert to a wider type moves down past a Transpose, not the other way round (ConvertSinking), and no
// rule moves a Transpose up. Once the Transposes that meet are merged, their number has not grown and each that moved
// stands above fewer operations.
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
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/cleanup/permutation.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"
#include "transformations/sinking/untransposed.h"

namespace burin::transformations {
namespace {

// Returns whether all readers of the value, but for `besides`, are Transposes by a known order.
bool OnlyTransposesRead(const ir::Model& model, ir::Value value, ir::NodeId besides) {
  for (const ir::Use& use : model.UsesOf(value)) {
    if (use.node == besides) continue;
    const ir::Node& reader = model.node(use.node);
    if (reader.code() != ir::OpCode::kTranspose || use.input != 0 || !OrderOf(model, reader).has_value()) return false;
  }
  return true;
}

// Counts the Transposes above the node that go once it reads `inputs` instead.
int64_t CountGone(const ir::Model& model, const ir::Node& node, const std::vector<ir::Value>& inputs) {
  std::vector<ir::NodeId> seen;
  for (size_t i = 0; i < static_cast<size_t>(node.input_count()); ++i) {
    const ir::Value input = node.inputs()[i];
    if (!TransposedBy(model, input).has_value() || inputs[i] == input) continue;
    if (std::find(seen.begin(), seen.end(), input.node) != seen.end()) continue;
    if (OnlyTransposesRead(model, input, node.id())) seen.push_back(input.node);
  }
  return static_cast<int64_t>(seen.size());
}

int64_t CountCome(const ir::Model& model, const ir::Node& node, const std::vector<Permutation>& orders) {
  int64_t come = 0;
  for (int32_t i = 0; i < node.output_count(); ++i) {
    if (IsIdentity(orders[static_cast<size_t>(i)])) continue;
    if (!OnlyTransposesRead(model, ir::Value{node.id(), i}, ir::NodeId::kNone)) ++come;
  }
  return come;
}

bool ReadsTranspose(const ir::Model& model, const ir::Node& node) {
  return std::any_of(node.inputs().begin(), node.inputs().end(), [&model](ir::Value value) {
    return value.exists() && model.node(value.node).code() == ir::OpCode::kTranspose;
  });
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> TransposeSinking(const ir::Model& model, ir::NodeId id,
                                                          const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (!MayUntranspose(node)) return Decline(context, id, "no Transpose moves past this operation");
  if (!ReadsTranspose(model, node)) return Decline(context, id, "no input comes from a Transpose");
  ir::Patch patch(model);
  BURIN_ASSIGN_OR_RETURN(std::optional<Untransposed> untransposed, Untranspose(model, node, context, &patch));
  if (!untransposed.has_value()) return std::nullopt;
  if (CountCome(model, node, untransposed->orders) > CountGone(model, node, untransposed->spec.inputs)) {
    return Decline(context, id, "other readers keep their Transpose, so that there would be more of them");
  }
  const ir::NodeId moved = patch.AddNode(std::move(untransposed->spec));
  for (int32_t i = 0; i < node.output_count(); ++i) {
    const Permutation& order = untransposed->orders[static_cast<size_t>(i)];
    ir::Value value{moved, i};
    if (!IsIdentity(order)) {
      BURIN_ASSIGN_OR_RETURN(ir::Tensor list, IntegerList(order));
      value = patch.Add(ir::TransposeOp(), {value, patch.AddConstant(std::move(list))});
    }
    patch.Replace(ir::Value{id, i}, value);
  }
  return patch;
}

}  // namespace burin::transformations

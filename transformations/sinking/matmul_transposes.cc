// MatMul(Transpose(x), y) => MatMul(x, y) with transpose_a the other way round, where the Transpose swaps the two
// innermost dimensions and leaves the others; input 1 and transpose_b likewise.
//
// A MatMul reads matrices in either order, so that it costs no more, and each product is added at the same place of the
// same sum. It therefore fires whoever else reads the Transpose, which stays for them: nothing is computed twice, and
// it is one reader nearer to disappearing or moving down. A Transpose that belongs to the decompression of weights goes
// too: what is left between the weights and the MatMul keeps its marks. The rank of x must be known, since inference
// would otherwise tell less of the result.
//
// The inputs of MatMuls that come from Transposes decrease, or the Transposes in a row above one; no rule puts a
// Transpose above a MatMul.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/ops/matmul.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "transformations/cleanup/node_copy.h"
#include "transformations/cleanup/permutation.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

bool SwapsMatrices(const Permutation& order) {
  const auto rank = static_cast<int64_t>(order.size());
  if (rank < 2) return false;
  for (int64_t d = 0; d < rank - 2; ++d) {
    if (order[static_cast<size_t>(d)] != d) return false;
  }
  return order[order.size() - 2] == rank - 1;
}

// Returns what the value is the transposed matrices of, or nullopt.
std::optional<ir::Value> MatricesOf(const ir::Model& model, ir::Value value, const ir::PassContext& context,
                                    ir::NodeId at) {
  const ir::Node& transpose = model.node(value.node);
  if (transpose.code() != ir::OpCode::kTranspose) return std::nullopt;
  const std::optional<Permutation> order = OrderOf(model, transpose);
  if (!order.has_value() || !SwapsMatrices(*order)) {
    Decline(context, at, "a Transpose is not known to swap the two innermost dimensions alone");
    return std::nullopt;
  }
  const ir::Value x = transpose.input(0);
  if (!model.info(x).shape.has_rank()) {
    Decline(context, at, "the rank of what is transposed is not known");
    return std::nullopt;
  }
  return x;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> MatMulTransposes(const ir::Model& model, ir::NodeId id,
                                                          const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kMatMul) return Decline(context, id, "is not a MatMul");
  const std::optional<ir::Value> a = MatricesOf(model, node.input(0), context, id);
  const std::optional<ir::Value> b = MatricesOf(model, node.input(1), context, id);
  if (!a.has_value() && !b.has_value()) return Decline(context, id, "no input comes from a Transpose that can go");
  auto attributes = std::make_unique<ir::MatMulAttributes>(node.attributes_as<ir::MatMulAttributes>());
  attributes->transpose_a ^= a.has_value();
  attributes->transpose_b ^= b.has_value();
  ir::NodeSpec spec = CopyOf(node, {a.value_or(node.input(0)), b.value_or(node.input(1))});
  spec.attributes = std::move(attributes);
  // It stands for the Transposes too.
  spec.original_names.clear();
  ir::Patch patch(model);
  patch.Replace(ir::Value{id, 0}, ir::Value{patch.AddNode(std::move(spec)), 0});
  return patch;
}

}  // namespace burin::transformations

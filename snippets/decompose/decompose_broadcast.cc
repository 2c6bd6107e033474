// f(Broadcast(x), y) => f(Unsqueeze(x), y), f element-wise under NumPy's rule, where y gives f its shape
//
// An element-wise reader repeats elements by itself. In the explicit mode x gets the dimensions of extent 1 that it has
// not; in the others it is aligned at the innermost dimension, as NumPy's rule does. Where Broadcast changes no shape,
// it goes for every reader.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/broadcast.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "snippets/decompose/broadcast_attribute.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

bool MustEqual(const ir::PartialShape& a, const ir::PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return false;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (!a[i].MustEqual(b[i])) return false;
  }
  return true;
}

// Returns the places in the output where x has no dimension, all before its last one; those before its first need no
// dimension. Unimplemented where they are not known.
absl::StatusOr<std::vector<int64_t>> MissingAxes(const ir::Model& model, const ir::Node& node) {
  std::vector<int64_t> missing;
  if (node.attributes_as<ir::BroadcastOpAttributes>().mode != ir::BroadcastMode::kExplicit) return missing;
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, ir::Value{node.id(), 0}, node));
  const std::optional<std::vector<int64_t>> mapping = ConstantIntegers(model, node, 2);
  if (!mapping.has_value()) return CannotDecompose("The axes are not constant", node);
  size_t next = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (next < mapping->size() && (*mapping)[next] == axis) {
      ++next;
    } else {
      missing.push_back(axis);
    }
  }
  return missing;
}

// Returns the shape with extents of 1 at those places.
ir::PartialShape WithOnes(const ir::PartialShape& shape, const std::vector<int64_t>& axes) {
  ir::PartialShape result;
  size_t next = 0;
  int64_t from = 0;
  const int64_t rank = shape.rank() + static_cast<int64_t>(axes.size());
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (next < axes.size() && axes[next] == axis) {
      result.Append(ir::Dimension(1));
      ++next;
    } else {
      result.Append(shape[from++]);
    }
  }
  return result;
}

// Returns whether the reader gives the same elements where it reads `shape` in place of the broadcast one.
bool StretchesByItself(const ir::Model& model, const ir::Node& reader, ir::Value broadcast,
                       const ir::PartialShape& shape) {
  if (!reader.op().Has(ir::kElementwise) || BroadcastRuleOf(reader).mode != ir::AutoBroadcast::kNumpy) return false;
  ir::ValueInfo stretched = model.info(broadcast);
  stretched.shape = shape;
  stretched.constant = ir::Tensor();
  stretched.content.reset();
  std::vector<const ir::ValueInfo*> inputs;
  for (const ir::Value& input : reader.inputs()) {
    inputs.push_back(!input.exists() ? nullptr : input == broadcast ? &stretched : &model.info(input));
  }
  const absl::StatusOr<std::vector<ir::ValueInfo>> outputs = ir::InferOp(reader.op(), reader.attributes(), inputs);
  return outputs.ok() && MustEqual(outputs->front().shape, reader.output(0).shape);
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> DecomposeBroadcast(const ir::Model& model, ir::NodeId id,
                                                            const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kBroadcast) return std::nullopt;
  BURIN_RETURN_IF_ERROR(KnownRank(model, node.input(0), node).status());
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> missing, MissingAxes(model, node));
  const ir::Value output{id, 0};
  const ir::PartialShape shape = WithOnes(model.info(node.input(0)).shape, missing);
  Formula f(model, node);
  const ir::Value value = f.Unsqueeze(node.input(0), missing);
  if (MustEqual(shape, node.output(0).shape)) return std::move(f).ReplaceWithFinished(value);
  const std::vector<ir::Use> uses = model.UsesOf(output);
  for (const ir::Use& use : uses) {
    const ir::Node& reader = model.node(use.node);
    if (StretchesByItself(model, reader, output, shape)) continue;
    return CannotDecompose(
        absl::StrCat("What '", reader.name(), "' (", reader.op().name, ") reads has to be broadcast in memory"), node);
  }
  return std::move(f).RewireTo(uses, value);
}

}  // namespace burin::snippets

// What inference knows of shapes becomes constant, and what it does not depends on less:
//
//   integers or booleans computed from sizes that are all known => Constant
//   ShapeOf(f(x)), f element-wise and of the shape of x         => ShapeOf(x)
//   ShapeOf(Transpose(x, p))                                    => Gather(ShapeOf(x), p)
//   Gather(Gather(l, p), i), l a list of integers               => Gather(l, Gather(p, i)), which folding computes
//
// The first makes edges from other operations edges from Constants, and fewer with each firing; the second and third
// move a ShapeOf nearer to the front, and leave the rest as it is. A Transpose by an order that is not known stays, and
// so does one of an unknown rank, where inference would tell less of the list.
//
// The last asks that p is a Constant, so that nothing is gathered in a run for it; that i is known and each of its
// elements one of p's, because a Gather gives 0 for the others, which would then be the first size; and that l is a
// list, of which alone it makes no more. The inner Gather stays for its other readers. Gathers above Gathers decrease.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/gather.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/cleanup/node_copy.h"
#include "transformations/cleanup/permutation.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

bool ComputesFromInputs(const ir::Node& node) {
  return node.input_count() > 0 && node.code() != OpCode::kResult && !node.op().Has(ir::kImpure) &&
         node.bodies().empty() && !IsKeptDecompression(node);
}

std::optional<ir::Patch> ReplaceKnownOutputs(const ir::Model& model, const ir::Node& node) {
  if (!ComputesFromInputs(node)) return std::nullopt;
  ir::Patch patch(model);
  for (int64_t i = 0; i < node.output_count(); ++i) {
    const ir::ValueInfo& info = node.output(i);
    if (!info.constant.has_value() || !(IsInteger(info.type) || info.type == ElementType::kBoolean)) continue;
    const ir::Value output{node.id(), static_cast<int32_t>(i)};
    if (model.UsesOf(output).empty()) continue;
    patch.Replace(output, patch.AddConstant(info.constant));
  }
  if (patch.empty()) return std::nullopt;
  return patch;
}

// Returns an input of an element-wise operation that has the shape of its output in every run.
std::optional<ir::Value> InputOfSameShape(const ir::Model& model, const ir::Node& node) {
  if (!node.op().Has(ir::kElementwise) || node.output_count() != 1) return std::nullopt;
  if (node.input_count() == 1) return node.input(0);
  for (const ir::Value& input : node.inputs()) {
    if (input.exists() && MustEqual(model.info(input).shape, node.output(0).shape)) return input;
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<ir::Patch>> TakeShapeBeforeTranspose(const ir::Model& model, const ir::Node& shape_of,
                                                                  const ir::PassContext& context) {
  const ir::Node& transpose = model.node(shape_of.input(0).node);
  const ir::Value x = transpose.input(0);
  const std::optional<Permutation> order = OrderOf(model, transpose);
  if (!order.has_value()) return Decline(context, shape_of.id(), "the order of the Transpose above is not known");
  if (!model.info(x).shape.has_rank()) {
    return Decline(context, shape_of.id(), "the rank of what is transposed is not known");
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor indices, IntegerList(*order));
  BURIN_ASSIGN_OR_RETURN(ir::Tensor axis, IntegerList({0}));
  ir::Patch patch(model);
  const ir::NodeId above = patch.AddNode(CopyOf(shape_of, {x}));
  const ir::Value sizes = patch.Add(
      ir::GatherOp(), {ir::Value{above, 0}, patch.AddConstant(std::move(indices)), patch.AddConstant(std::move(axis))});
  patch.Replace(ir::Value{shape_of.id(), 0}, sizes);
  return patch;
}

// Returns whether the node gathers elements of a list of integers.
bool GathersFromList(const ir::Model& model, const ir::Node& node) {
  if (node.code() != OpCode::kGather || node.attributes_as<ir::GatherAttributes>().batch_dims != 0) return false;
  const ir::ValueInfo& data = model.info(node.input(0));
  return IsInteger(data.type) && data.shape.has_rank() && data.shape.rank() == 1;
}

std::optional<ir::Patch> GatherOnce(const ir::Model& model, const ir::Node& outer, const ir::PassContext& context) {
  const ir::Node& inner = model.node(outer.input(0).node);
  if (!GathersFromList(model, outer) || !GathersFromList(model, inner)) {
    return Decline(context, outer.id(), "it does not gather from what is gathered from a list of integers");
  }
  const ir::Value places = inner.input(1);
  const std::optional<std::vector<int64_t>> indices = ExactIntegers(model.info(outer.input(1)));
  if (model.node(places.node).code() != OpCode::kConstant || !indices.has_value()) {
    return Decline(context, outer.id(), "what is gathered from the list is not known");
  }
  const int64_t count = model.info(places).constant.element_count();
  if (std::any_of(indices->begin(), indices->end(), [count](int64_t i) { return i < -count || i >= count; })) {
    return Decline(context, outer.id(), "an index names no element");
  }
  ir::Patch patch(model);
  const ir::NodeId picked = patch.AddNode(CopyOf(outer, {places, outer.input(1), outer.input(2)}));
  const ir::NodeId merged = patch.AddNode(CopyOf(outer, {inner.input(0), ir::Value{picked, 0}, inner.input(2)}));
  patch.Replace(ir::Value{outer.id(), 0}, ir::Value{merged, 0});
  return patch;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ShapeOfArithmetic(const ir::Model& model, ir::NodeId id,
                                                           const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (std::optional<ir::Patch> patch = ReplaceKnownOutputs(model, node); patch.has_value()) return patch;
  if (node.code() == OpCode::kGather) return GatherOnce(model, node, context);
  if (node.code() != OpCode::kShapeOf) return Decline(context, id, "the integers it gives are not known");
  if (model.node(node.input(0).node).code() == OpCode::kTranspose) {
    return TakeShapeBeforeTranspose(model, node, context);
  }
  const std::optional<ir::Value> source = InputOfSameShape(model, model.node(node.input(0).node));
  if (!source.has_value()) return Decline(context, id, "no element-wise operation of one shape comes before ShapeOf");
  ir::Patch patch(model);
  patch.SetInput(ir::Use{id, 0}, *source);
  return patch;
}

}  // namespace burin::transformations

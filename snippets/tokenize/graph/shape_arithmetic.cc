#include "snippets/tokenize/graph/shape_arithmetic.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/statusor.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/tensor.h"

namespace burin::snippets {
namespace {

bool HasContent(const ir::ValueInfo& info) { return info.content.has_value() || info.constant.has_value(); }

// Returns whether the node's shapes follow from the content of input `input`.
bool ReadsShape(const ir::Model& model, const ir::Node& node, int64_t input) {
  // Bodies may do anything with it.
  if (!node.bodies().empty()) return true;
  ir::ValueInfo unknown = model.info(node.input(input));
  unknown.constant = ir::Tensor();
  unknown.content.reset();
  std::vector<const ir::ValueInfo*> inputs;
  for (int64_t i = 0; i < node.input_count(); ++i) {
    const ir::Value value = node.input(i);
    inputs.push_back(!value.exists() ? nullptr : i == input ? &unknown : &model.info(value));
  }
  const absl::StatusOr<std::vector<ir::ValueInfo>> outputs = ir::InferOp(node.op(), node.attributes(), inputs);
  if (!outputs.ok()) return true;
  for (size_t i = 0; i < outputs->size(); ++i) {
    if ((*outputs)[i].shape != node.output(static_cast<int64_t>(i)).shape) return true;
  }
  return false;
}

}  // namespace

std::vector<bool> FindShapeArithmetic(const ir::Model& model, absl::Span<const ir::NodeId> order) {
  std::vector<bool> found(static_cast<size_t>(model.id_bound()), false);
  for (size_t i = order.size(); i-- > 0;) {
    const ir::Node& node = model.node(order[i]);
    for (int32_t output = 0; output < static_cast<int32_t>(node.output_count()); ++output) {
      if (!HasContent(node.output(output))) continue;
      const std::vector<ir::Use> uses = model.UsesOf({node.id(), output});
      const bool is_used = std::any_of(uses.begin(), uses.end(), [&](const ir::Use& use) {
        // What is computed from it may be what a shape needs, if it travels on.
        const ir::Node& reader = model.node(use.node);
        return found[static_cast<size_t>(ir::Index(use.node))] || ReadsShape(model, reader, use.input);
      });
      if (is_used) found[static_cast<size_t>(ir::Index(node.id()))] = true;
    }
  }
  return found;
}

}  // namespace burin::snippets

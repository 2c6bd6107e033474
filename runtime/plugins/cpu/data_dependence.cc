#include "runtime/plugins/cpu/data_dependence.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"

namespace burin::cpu {

namespace {

// Returns a copy of `model` whose parameters have the size `size` along every dimension that is dynamic, as far as its
// bounds allow; null where the model refuses that.
std::unique_ptr<ir::Model> Sized(const ir::Model& model, int64_t size) {
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < model.parameters().size(); ++i) {
    const ir::PartialShape& shape = model.node(model.parameters()[i]).output(0).shape;
    if (!shape.has_rank()) return nullptr;
    ir::PartialShape sized;
    for (int64_t k = 0; k < shape.rank(); ++k) {
      sized.Append(ir::Dimension(std::clamp(size, shape[k].min(), shape[k].max())));
    }
    shapes.emplace(static_cast<int64_t>(i), std::move(sized));
  }
  std::unique_ptr<ir::Model> copy = model.Clone();
  return copy->Reshape(shapes).ok() ? std::move(copy) : nullptr;
}

bool HasDynamicOutput(const ir::Node& node) {
  return std::any_of(node.outputs().begin(), node.outputs().end(),
                     [](const ir::ValueInfo& info) { return info.shape.is_dynamic(); });
}

}  // namespace

std::vector<ir::NodeId> NodesOfUnknownShape(const ir::Model& model) {
  // Networks of images want multiples of 32, and not too few of them.
  std::unique_ptr<ir::Model> sized;
  for (const int64_t size : {4, 32, 64, 1, 2, 3, 8, 16, 128, 256, 224, 640}) {
    sized = Sized(model, size);
    if (sized != nullptr) break;
  }
  std::vector<ir::NodeId> nodes;
  for (const ir::NodeId id : model.NodeIds()) {
    if (sized == nullptr) {
      if (model.node(id).op().Has(ir::kDataDependentShape)) nodes.push_back(id);
      continue;
    }
    const ir::Node& node = sized->node(id);
    if (!HasDynamicOutput(node)) continue;
    const bool inputs_are_static = std::all_of(node.inputs().begin(), node.inputs().end(), [&](const ir::Value& input) {
      return !input.exists() || sized->info(input).shape.is_static();
    });
    if (inputs_are_static) nodes.push_back(id);
  }
  return nodes;
}

}  // namespace burin::cpu

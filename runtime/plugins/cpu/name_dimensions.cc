#include "runtime/plugins/cpu/name_dimensions.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "ir/dimension.h"
#include "ir/ops/parameter.h"
#include "ir/partial_shape.h"

namespace burin::cpu {

namespace {

// Adds the symbols of a shape.
void AddSymbols(const ir::PartialShape& shape, absl::flat_hash_set<std::string>* symbols) {
  for (int64_t axis = 0; shape.has_rank() && axis < shape.rank(); ++axis) symbols->insert(shape[axis].symbol());
}

// Returns every name that some size of the model has.
absl::flat_hash_set<std::string> SymbolsOf(const ir::Model& model) {
  absl::flat_hash_set<std::string> symbols;
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    for (int32_t i = 0; i < node.output_count(); ++i) AddSymbols(node.output(i).shape, &symbols);
  }
  return symbols;
}

// Returns `shape` with a name for each size that has none; they are added to `symbols`, of which they are none yet.
ir::PartialShape Named(const ir::PartialShape& shape, const std::string& name,
                       absl::flat_hash_set<std::string>* symbols) {
  std::vector<ir::Dimension> dims;
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    const ir::Dimension& size = shape[axis];
    if (size.is_static() || !size.symbol().empty()) {
      dims.push_back(size);
      continue;
    }
    std::string symbol = absl::StrCat(name, "_", axis);
    while (!symbols->insert(symbol).second) symbol += "_";
    dims.emplace_back(size.min(), size.max(), std::move(symbol));
  }
  return ir::PartialShape(std::move(dims));
}

}  // namespace

absl::Status NameDimensions(ir::Model* model) {
  std::vector<ir::NodeId> changed;
  absl::flat_hash_set<std::string> symbols;
  for (const ir::NodeId parameter : model->parameters()) {
    const ir::PartialShape& shape = model->node(parameter).output(0).shape;
    if (!shape.has_rank() || shape.is_static()) continue;
    if (symbols.empty()) symbols = SymbolsOf(*model);
    ir::PartialShape named = Named(shape, model->node(parameter).name(), &symbols);
    if (named == shape) continue;
    auto attributes = std::make_unique<ir::ParameterAttributes>();
    attributes->element_type = model->node(parameter).output(0).type;
    attributes->shape = std::move(named);
    model->SetAttributes(parameter, std::move(attributes));
    changed.push_back(parameter);
  }
  return changed.empty() ? absl::OkStatus() : model->InferFrom(changed);
}

}  // namespace burin::cpu

#include "runtime/api/model.h"

#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/find_port.h"

namespace burin {

const std::string& Model::name() const { return graph_->name(); }

std::vector<Port> Model::inputs() const { return InputPorts(*graph_); }
std::vector<Port> Model::outputs() const { return OutputPorts(*graph_); }

absl::StatusOr<Port> Model::input(size_t index) const { return FindPort(inputs(), "input", index); }
absl::StatusOr<Port> Model::input(const std::string& name) const { return FindPort(inputs(), "input", name); }
absl::StatusOr<Port> Model::output(size_t index) const { return FindPort(outputs(), "output", index); }
absl::StatusOr<Port> Model::output(const std::string& name) const { return FindPort(outputs(), "output", name); }

bool Model::is_dynamic() const {
  for (const Port& port : inputs()) {
    if (port.shape.is_dynamic()) return true;
  }
  for (const Port& port : outputs()) {
    if (port.shape.is_dynamic()) return true;
  }
  return false;
}

int64_t Model::operation_count() const { return graph_->node_count(); }

absl::Status Model::Reshape(const std::map<std::string, PartialShape>& shapes_by_name) {
  std::map<size_t, PartialShape> shapes;
  for (const auto& [name, shape] : shapes_by_name) {
    BURIN_ASSIGN_OR_RETURN(Port port, input(name));
    if (!shapes.emplace(port.index, shape).second) {
      return absl::InvalidArgumentError(absl::StrCat("Reshape names one input twice: ", ToString(port)));
    }
  }
  return Reshape(shapes);
}

absl::Status Model::Reshape(const std::map<size_t, PartialShape>& shapes_by_index) {
  absl::flat_hash_map<int64_t, PartialShape> shapes;
  for (const auto& [index, shape] : shapes_by_index) {
    BURIN_RETURN_IF_ERROR(input(index).status());
    shapes.emplace(static_cast<int64_t>(index), shape);
  }
  return graph_->Reshape(shapes);
}

absl::Status Model::Reshape(const PartialShape& shape) {
  if (graph_->parameters().size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("Reshape to one shape needs a model with one input; this one has: ", NamesOf(inputs())));
  }
  return Reshape(std::map<size_t, PartialShape>{{0, shape}});
}

Model Model::Clone() const { return Model(std::shared_ptr<ir::Model>(graph_->Clone())); }

}  // namespace burin

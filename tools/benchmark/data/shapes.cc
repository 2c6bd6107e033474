#include "tools/benchmark/data/shapes.h"

#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/layout.h"
#include "tools/benchmark/data/port_values.h"

namespace burin::benchmark {

namespace {

// Returns the shapes by port index.
absl::StatusOr<std::map<size_t, std::vector<ir::PartialShape>>> Parse(const char* option, const std::string& text,
                                                                      const std::vector<Port>& inputs) {
  BURIN_ASSIGN_OR_RETURN(auto values, ParsePortValues(option, text, inputs));
  std::map<size_t, std::vector<ir::PartialShape>> shapes;
  for (const auto& [index, list] : values) {
    for (const std::string& value : list) {
      absl::StatusOr<ir::PartialShape> shape = ir::PartialShape::Parse(absl::StrCat("[", value, "]"));
      if (!shape.ok()) return WithContext(shape.status(), absl::StrCat("Option -", option));
      shapes[index].push_back(*std::move(shape));
    }
  }
  return shapes;
}

}  // namespace

absl::StatusOr<std::vector<std::pair<size_t, ir::PartialShape>>> ParseShapes(const std::string& text,
                                                                             const std::vector<Port>& inputs) {
  BURIN_ASSIGN_OR_RETURN(auto by_port, Parse("shape", text, inputs));
  std::vector<std::pair<size_t, ir::PartialShape>> shapes;
  for (auto& [index, list] : by_port) {
    if (list.size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat("Option -shape: several shapes for input ",
                                                     ToString(inputs[index]), "; -data_shape takes several"));
    }
    shapes.emplace_back(index, std::move(list.front()));
  }
  return shapes;
}

absl::StatusOr<std::vector<std::vector<ir::Shape>>> ParseDataShapes(const std::string& text,
                                                                    const std::vector<Port>& inputs) {
  BURIN_ASSIGN_OR_RETURN(auto by_port, Parse("data_shape", text, inputs));
  std::vector<std::vector<ir::Shape>> shapes(inputs.size());
  for (const auto& [index, list] : by_port) {
    for (const ir::PartialShape& shape : list) {
      if (!shape.is_static() || !inputs[index].shape.Accepts(shape.ToShape())) {
        return absl::InvalidArgumentError(absl::StrCat("Option -data_shape: expected a static shape that input ",
                                                       ToString(inputs[index]), " can have, found ", shape.ToString()));
      }
      shapes[index].push_back(shape.ToShape());
    }
  }
  return shapes;
}

absl::Status ParseLayouts(const std::string& text, std::vector<Port>* inputs) {
  BURIN_ASSIGN_OR_RETURN(auto values, ParsePortValues("layout", text, *inputs));
  for (const auto& [index, list] : values) {
    Port& port = (*inputs)[index];
    if (list.size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat("Option -layout: several layouts for input ", ToString(port)));
    }
    const std::string& value = list.front();
    const bool has_names = value.find(',') != std::string::npos;
    absl::StatusOr<ir::Layout> layout = ir::Layout::Parse(has_names ? absl::StrCat("[", value, "]") : value);
    if (!layout.ok()) return WithContext(layout.status(), "Option -layout");
    if (port.shape.has_rank() && !layout->FitsRank(port.shape.rank())) {
      return absl::InvalidArgumentError(
          absl::StrCat("Option -layout: ", layout->ToString(), " does not fit the rank of input ", ToString(port)));
    }
    port.layout = *std::move(layout);
  }
  return absl::OkStatus();
}

}  // namespace burin::benchmark

#include "tools/benchmark/shapes.h"

#include <map>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_context.h"
#include "base/status_macros.h"

namespace burin::benchmark {

namespace {

// An input's name, empty where there is none, and its shapes in order.
struct Entry {
  std::string name;
  std::vector<ir::PartialShape> shapes;
};

// Takes one "[...]" from the front of `rest`.
absl::StatusOr<ir::PartialShape> TakeShape(absl::string_view* rest) {
  const size_t close = rest->find(']');
  if (close == absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat("Expected \"]\" after \"", *rest, "\""));
  }
  BURIN_ASSIGN_OR_RETURN(ir::PartialShape shape, ir::PartialShape::Parse(std::string(rest->substr(0, close + 1))));
  rest->remove_prefix(close + 1);
  return shape;
}

absl::StatusOr<std::vector<Entry>> ParseEntries(absl::string_view text) {
  std::vector<Entry> entries;
  absl::string_view rest = absl::StripAsciiWhitespace(text);
  do {
    Entry entry;
    const size_t open = rest.find('[');
    if (open == absl::string_view::npos) {
      return absl::InvalidArgumentError(absl::StrCat("Expected NAME[SHAPE], found \"", rest, "\""));
    }
    entry.name = std::string(absl::StripAsciiWhitespace(rest.substr(0, open)));
    rest.remove_prefix(open);
    while (!rest.empty() && rest.front() == '[') {
      BURIN_ASSIGN_OR_RETURN(ir::PartialShape shape, TakeShape(&rest));
      entry.shapes.push_back(std::move(shape));
    }
    entries.push_back(std::move(entry));
    if (rest.empty()) return entries;
  } while (absl::ConsumePrefix(&rest, ","));
  return absl::InvalidArgumentError(absl::StrCat("Expected \",\" between inputs, found \"", rest, "\""));
}

// Returns the shapes by port index.
absl::StatusOr<std::map<size_t, std::vector<ir::PartialShape>>> Assign(std::vector<Entry> entries,
                                                                       const std::vector<Port>& inputs) {
  std::map<size_t, std::vector<ir::PartialShape>> by_port;
  for (Entry& entry : entries) {
    bool known = false;
    for (const Port& port : inputs) {
      if (!entry.name.empty() && !port.HasName(entry.name)) continue;
      known = true;
      if (!by_port.emplace(port.index, entry.shapes).second) {
        return absl::InvalidArgumentError(absl::StrCat("Input is named twice: ", ToString(port)));
      }
    }
    if (!known) {
      return absl::InvalidArgumentError(absl::StrCat("No input \"", entry.name, "\"; there are: ", NamesOf(inputs)));
    }
  }
  return by_port;
}

absl::StatusOr<std::map<size_t, std::vector<ir::PartialShape>>> Parse(const char* option, const std::string& text,
                                                                      const std::vector<Port>& inputs) {
  absl::StatusOr<std::vector<Entry>> entries = ParseEntries(text);
  if (!entries.ok()) return WithContext(entries.status(), option);
  absl::StatusOr<std::map<size_t, std::vector<ir::PartialShape>>> by_port = Assign(*std::move(entries), inputs);
  if (!by_port.ok()) return WithContext(by_port.status(), option);
  return by_port;
}

}  // namespace

absl::StatusOr<std::vector<std::pair<size_t, ir::PartialShape>>> ParseShapes(const std::string& text,
                                                                             const std::vector<Port>& inputs) {
  BURIN_ASSIGN_OR_RETURN(auto by_port, Parse("Option -shape", text, inputs));
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
  BURIN_ASSIGN_OR_RETURN(auto by_port, Parse("Option -data_shape", text, inputs));
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

}  // namespace burin::benchmark

#include "runtime/dev/port.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace burin {

bool Port::HasName(const std::string& wanted) const {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

std::string ToString(const Port& port) {
  return absl::StrCat("\"", port.name(), "\" ", Name(port.element_type), port.shape.ToString());
}

std::string NamesOf(const std::vector<Port>& ports) {
  return absl::StrJoin(ports, ", ",
                       [](std::string* out, const Port& port) { absl::StrAppend(out, "\"", port.name(), "\""); });
}

}  // namespace burin

// Finds a port by index or name, with errors that list what there is.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_DEV_FIND_PORT_H_
#define BURIN_RUNTIME_DEV_FIND_PORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/dev/port.h"

namespace burin {

// Returns port `index`. InvalidArgument, listing the ports, outside them. `kind` is "input" or "output".
inline absl::StatusOr<Port> FindPort(const std::vector<Port>& ports, const char* kind, size_t index) {
  if (index < ports.size()) return ports[index];
  return absl::InvalidArgumentError(
      absl::StrCat("There is no ", kind, " ", index, "; there are ", ports.size(), ": ", NamesOf(ports)));
}

// Returns the port called `name`. NotFound, listing the ports, where none is.
inline absl::StatusOr<Port> FindPort(const std::vector<Port>& ports, const char* kind, const std::string& name) {
  for (const Port& port : ports) {
    if (port.HasName(name)) return port;
  }
  return absl::NotFoundError(absl::StrCat("There is no ", kind, " \"", name, "\"; there are: ", NamesOf(ports)));
}

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_FIND_PORT_H_

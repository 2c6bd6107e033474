// Reads a model that a debugging tool is given: a file of any form that the project writes or reads, or a built-in
// network.
//
// Not for programs that serve a model: those read files by Core::ReadModel. Stateless; thread-safe as far as the Core
// is.
#ifndef BURIN_TOOLS_OPT_MODEL_SOURCE_H_
#define BURIN_TOOLS_OPT_MODEL_SOURCE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/api/core.h"

namespace burin::opt {

// Returns the model that `source` names: `builtin:NAME(...)` (tools/models/builtin.h), a file `*.txt` in the text form
// (ir/text.h), a file `*.bin` in the binary form (ir/binary.h), or any other that Core::ReadModel reads. Errors name
// the file.
absl::StatusOr<std::shared_ptr<ir::Model>> ReadGraph(Core* core, const std::string& source);

// Writes the model: the text form where the path ends in ".txt", which drops nothing, else the binary form.
absl::Status WriteGraph(const ir::Model& model, const std::string& path);

}  // namespace burin::opt

#endif  // BURIN_TOOLS_OPT_MODEL_SOURCE_H_

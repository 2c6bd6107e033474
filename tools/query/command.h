// What the program does with its arguments, apart from the devices that are linked into it.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_QUERY_COMMAND_H_
#define BURIN_TOOLS_QUERY_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/api/core.h"

namespace burin::query {

// Reports as the arguments (argv[1..]) ask, and appends what is to be printed to `output`. Returns the exit code: 0, or
// 1 where the device refuses any operation of the model. InvalidArgument for wrong arguments; otherwise the errors of
// reading, asking and writing.
absl::StatusOr<int> RunCommand(const std::vector<std::string>& arguments, const Core& core, std::string* output);

}  // namespace burin::query

#endif  // BURIN_TOOLS_QUERY_COMMAND_H_

// Reads option values that say something of inputs by name: `in1[1,3,224,224],in2[?,1..10]`, or `[NCHW]` without a
// name, which is for every input.
//
// What the brackets hold is the caller's business. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_DATA_PORT_VALUES_H_
#define BURIN_TOOLS_BENCHMARK_DATA_PORT_VALUES_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/dev/port.h"

namespace burin::benchmark {

// Returns the values of each named input by port index, in order, without their brackets; several may follow a name:
// `in[1,128][1,256]`. InvalidArgument, beginning with the option, for other text, an unknown input (listing the
// inputs), or one that is named twice.
absl::StatusOr<std::map<size_t, std::vector<std::string>>> ParsePortValues(const char* option, const std::string& text,
                                                                           const std::vector<Port>& inputs);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DATA_PORT_VALUES_H_

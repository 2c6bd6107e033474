// Changes the element types in which a model's inputs are given and its outputs returned: -ip, -op and -iop.
//
// The model converts at its ports and computes as before. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_PORT_TYPES_H_
#define BURIN_TOOLS_BENCHMARK_PORT_TYPES_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/api/model.h"

namespace burin::benchmark {

// The options' values; empty where not given.
struct PortTypes {
  std::string inputs;   // -ip: "u8"
  std::string outputs;  // -op
  std::string by_name;  // -iop: "in1:u8,out1:f16", which wins over both
};

// Returns a copy of the model with a conversion behind each input, and in front of each output, whose type changes.
// InvalidArgument, naming the option, for a text that is no such list, an unknown or repeated name, or a type that does
// not convert.
absl::StatusOr<Model> ConvertPorts(const Model& model, const PortTypes& types);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_PORT_TYPES_H_

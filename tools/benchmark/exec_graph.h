// The file of -exec_graph_path: what a device executed, node by node.
//
// Its form follows from the file's name: .txt is the readable text of a model, .json lists operations with their facts
// of execution, .dot is for Graphviz, .svg is a picture. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_EXEC_GRAPH_H_
#define BURIN_TOOLS_BENCHMARK_EXEC_GRAPH_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/model.h"

namespace burin::benchmark {

// InvalidArgument, listing the forms, where the name ends in none of them.
absl::Status CheckGraphPath(const std::string& path);

// Returns the text of the file for a runtime model. InvalidArgument as above, and where the model has a cycle. JSON:
// {
//   "name", "nodes": [{"name", "type", "original_names", "runtime_info": {key: text},
//     "inputs": [{"node", "output"}], "outputs": [{"names", "element_type", "shape"}]}], each after those it reads
// }
absl::StatusOr<std::string> GraphToText(const Model& runtime_model, const std::string& path);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_EXEC_GRAPH_H_

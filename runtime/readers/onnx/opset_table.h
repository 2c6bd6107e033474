// The operators of the ai.onnx domain and the opsets in which their schemas changed.
//
// A node's meaning is that of the newest schema not newer than the model's opset. The list is onnx_opsets.inc.
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPSET_TABLE_H_
#define BURIN_RUNTIME_READERS_ONNX_OPSET_TABLE_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace burin::onnx {

// The newest opset of ai.onnx that the table knows.
inline constexpr int64_t kNewestOpset = 27;
// The newest version of the file format that the reader knows.
inline constexpr int64_t kNewestIrVersion = 13;

// Returns the opset that defined the schema of `op` in force in `opset`; 0 where the operator came later, and -1 where
// there is no such operator.
int64_t SchemaVersion(absl::string_view op, int64_t opset);

// Returns the opset in which `op` first appeared, or -1.
int64_t FirstVersion(absl::string_view op);

// Returns the opsets that defined `op` anew, ascending; empty where there is no such operator.
std::vector<int64_t> SchemaVersions(absl::string_view op);

// Returns the names of all operators, ascending.
std::vector<absl::string_view> AllOperators();

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPSET_TABLE_H_

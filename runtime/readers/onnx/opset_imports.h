// Which version of each operator domain a model or a function imports.
//
// Immutable once made; thread-safe to read.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPSET_IMPORTS_H_
#define BURIN_RUNTIME_READERS_ONNX_OPSET_IMPORTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/readers/onnx/message/onnx_message.h"

namespace burin::onnx {

// Returns the domain in its short form: "ai.onnx" is the empty name.
absl::string_view NormalizeDomain(absl::string_view domain);

class OpsetImports {
 public:
  // InvalidArgument for a domain that is imported in two versions, or a version of ai.onnx outside 1 to kNewestOpset.
  // Files of IR version 1 and 2 import opset 1 where they import nothing; later ones must say.
  static absl::StatusOr<OpsetImports> Create(const std::vector<OperatorSetMessage>& operator_sets, int64_t ir_version);

  // Returns the imported version of a (normalised) domain. InvalidArgument where ai.onnx is not imported; other
  // domains, which real files forget, are taken as version 1.
  absl::StatusOr<int64_t> Version(absl::string_view domain) const;

 private:
  absl::flat_hash_map<std::string, int64_t> versions_;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPSET_IMPORTS_H_

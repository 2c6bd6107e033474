// Collects what a model asks for and the reader does not have, over the whole model, for one error.
//
// Not for errors of the model itself, which end the reading at once. Not thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_UNSUPPORTED_H_
#define BURIN_RUNTIME_READERS_ONNX_UNSUPPORTED_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace burin::onnx {

class UnsupportedList {
 public:
  // Adds one use: of an operator (`domain` may be empty, which is ai.onnx) in the opset that the model imports, by the
  // node called `node`. `reason` says more, or is empty where the operator as such is missing.
  void Add(absl::string_view op, absl::string_view domain, int64_t opset, absl::string_view reason,
           absl::string_view node);

  bool empty() const { return entries_.empty(); }
  int64_t count() const { return count_; }

  // Returns Unimplemented that lists each operator and reason with its number of uses and up to five node names, in
  // alphabetical order; OK where the list is empty.
  absl::Status ToStatus() const;

 private:
  struct Uses {
    int64_t count = 0;
    std::vector<std::string> nodes;
  };
  // Domain, operator, opset, reason.
  using Key = std::tuple<std::string, std::string, int64_t, std::string>;
  std::map<Key, Uses> entries_;
  int64_t count_ = 0;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_UNSUPPORTED_H_

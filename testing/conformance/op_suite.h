// Operator tests in ONNX Runtime's form as cases of the ONNX backend suite's form.
//
// A file of such tests is JSON with comments: a list of operators with attributes, each with cases of inputs and
// outputs. Use it to run them as the backend suite is run (case_runner.h). Stateless, thread-safe for other folders.
#ifndef BURIN_TESTING_CONFORMANCE_OP_SUITE_H_
#define BURIN_TESTING_CONFORMANCE_OP_SUITE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin::conformance {

// Writes a folder with a model of one node and its data for each case of the file's content into `folder`, named
// <operator>_<case>, both counted from 0, and returns how many. InvalidArgument, saying where, for what is not of the
// form. Tensors have their own shapes in the model, or ranks only where the test says so.
absl::StatusOr<int64_t> WriteOpTests(absl::string_view json, const std::string& folder);

// Does that for each file *.jsonc of `source`, but for those whose name begins with an underscore, into a folder of its
// own in `target`.
absl::Status WriteOpSuite(const std::string& source, const std::string& target);

}  // namespace burin::conformance

#endif  // BURIN_TESTING_CONFORMANCE_OP_SUITE_H_

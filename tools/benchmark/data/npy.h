// Reads and writes NumPy's .npy files.
//
// Format: numpy.lib.format, versions 1 to 3, little-endian numbers and booleans in C order. Everything in a file is
// checked: a damaged one gives a Status. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_DATA_NPY_H_
#define BURIN_TOOLS_BENCHMARK_DATA_NPY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/tensor.h"

namespace burin::benchmark {

// Returns the array that the file's bytes hold. InvalidArgument for bytes that are no such file; Unimplemented for a
// version, element type, byte order or memory order that is not read.
absl::StatusOr<ir::Tensor> ParseNpy(absl::string_view bytes);

// Reads the file at `path`. Errors as above, naming the file, and those of opening files.
absl::StatusOr<ir::Tensor> ReadNpy(const std::string& path);

// Returns the bytes of a file with the tensor's elements, of version 1. Unimplemented for an element type that NumPy
// does not have.
absl::StatusOr<std::string> SerializeNpy(const ir::Tensor& tensor);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DATA_NPY_H_

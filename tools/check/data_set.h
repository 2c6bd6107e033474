// Saved inputs and expected outputs of a model, in the layout of ONNX's backend tests.
//
// A data set is a folder with input_0.pb, input_1.pb, ... and output_0.pb, ..., each a TensorProto, in the order of the
// model's signature. Stateless, thread-safe.
#ifndef BURIN_TOOLS_CHECK_DATA_SET_H_
#define BURIN_TOOLS_CHECK_DATA_SET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"

namespace burin::check {

struct DataSet {
  std::string name;
  std::vector<ir::Tensor> inputs;
  std::vector<ir::Tensor> outputs;  // Empty where only inputs are known.
};

// Returns the folders with data: `folder` itself where it has a file input_0.pb or output_0.pb, else its
// test_data_set_*, in order of number. NotFound where there are none.
absl::StatusOr<std::vector<std::string>> FindDataSets(const std::string& folder);

// Reads one folder. InvalidArgument for a damaged file, naming it; Unimplemented for sequences, maps and strings.
absl::StatusOr<DataSet> ReadDataSet(const std::string& folder);

// Makes up inputs: floats uniform in [-1, 1), 8-bit integers over their range, wider integers and booleans 0 or 1 (they
// are indices and masks more often than not). A dynamic dimension becomes 1 if it is the first and else 64, or what its
// interval allows next to that. The same seed gives the same bits everywhere. Unimplemented for a dynamic rank.
absl::StatusOr<DataSet> MakeDataSet(const std::vector<Port>& inputs, uint64_t seed);

}  // namespace burin::check

#endif  // BURIN_TOOLS_CHECK_DATA_SET_H_

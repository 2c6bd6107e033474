// The data that requests are given: from files, or made up from a seed.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_DATA_INPUTS_H_
#define BURIN_TOOLS_BENCHMARK_DATA_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"

namespace burin::benchmark {

// What one inference gets.
struct InputSet {
  std::vector<ir::Tensor> tensors;   // By port index.
  std::vector<std::string> sources;  // Where each comes from, in words.
  // Items in it: dimension N of the layouts, or, where none has one, the first dimension; 1 where inputs disagree.
  int64_t frames = 1;
};

// Makes the sets that inferences take in turn. `files` is the value of -i, `data_shape` that of -data_shape; either may
// be empty. An input with one file or shape has it in every set; those with several have equally many. Pictures fill
// the batch of an input, so that several make one set. InvalidArgument for text that does not fit the inputs,
// -data_shape for a static model, a dynamic input of which neither file nor -data_shape says the shape, or a file whose
// type or size is not the input's; Unimplemented for a file of another kind; the errors of reading files and pictures.
absl::StatusOr<std::vector<InputSet>> MakeInputSets(const std::vector<Port>& inputs, const std::string& files,
                                                    const std::string& data_shape, uint64_t seed);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DATA_INPUTS_H_

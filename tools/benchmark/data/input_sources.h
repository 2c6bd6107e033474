// Reads the value of -i: which files, or which made-up data, each input gets.
//
// Looks at no file. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_DATA_INPUT_SOURCES_H_
#define BURIN_TOOLS_BENCHMARK_DATA_INPUT_SOURCES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/dev/port.h"

namespace burin::benchmark {

struct InputSource {
  enum class Kind {
    kRandom,     // Seeded data: also of an input that is not named.
    kImageInfo,  // Height, width and scale of the model's picture.
    kArrays,     // .npy and .bin files, each a whole tensor.
    kPictures,   // .png and .bmp files, each an item of the batch.
  };
  Kind kind = Kind::kRandom;
  std::vector<std::string> files;  // Of the last two.
};

// Returns the sources by port index. `text` is "in1:a.npy,b.npy,in2:random", or without names for a model with one
// input; a colon that does not follow an input's name belongs to a path. Empty: all are random. InvalidArgument for an
// input that is named twice, a file without an input, or files of both kinds for one input; Unimplemented, naming the
// file, for any other kind.
absl::StatusOr<std::vector<InputSource>> ParseInputSources(const std::string& text, const std::vector<Port>& inputs);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DATA_INPUT_SOURCES_H_

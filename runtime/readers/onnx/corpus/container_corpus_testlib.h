// Part of the corpus: files with sequences and optionals, which no model can give out, so that each has several
// operators. For tests only. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_CORPUS_CONTAINER_CORPUS_TESTLIB_H_
#define BURIN_RUNTIME_READERS_ONNX_CORPUS_CONTAINER_CORPUS_TESTLIB_H_

#include <cstdint>
#include <string>
#include <vector>

namespace burin::onnx {

struct ContainerFile {
  int64_t opset = 0;
  std::vector<std::string> ops;  // Those that know sequences or optionals.
  std::string bytes;
};

// Returns the files: sequences in opsets 11, 17, 24 and the newest, optionals in those from 15 on.
std::vector<ContainerFile> ContainerCorpus();

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_CORPUS_CONTAINER_CORPUS_TESTLIB_H_

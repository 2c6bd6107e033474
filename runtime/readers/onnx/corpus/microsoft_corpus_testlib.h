// Part of the corpus: operators of the domain com.microsoft. For tests only.
#ifndef BURIN_RUNTIME_READERS_ONNX_CORPUS_MICROSOFT_CORPUS_TESTLIB_H_
#define BURIN_RUNTIME_READERS_ONNX_CORPUS_MICROSOFT_CORPUS_TESTLIB_H_

#include <vector>

#include "runtime/readers/onnx/onnx_model_testlib.h"

namespace burin::onnx {

// Returns the nodes, all of the domain's version 1.
std::vector<SingleNode> MicrosoftCorpus();

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_CORPUS_MICROSOFT_CORPUS_TESTLIB_H_

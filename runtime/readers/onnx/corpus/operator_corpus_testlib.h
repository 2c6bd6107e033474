// A small model for every operator that the reader translates, in each of its forms: what tests and tools ask about
// all operators start from. For tests only.
//
// A form names the newest opset that has it. Which older ones read it, and which operators have no form yet, the test
// of this library says. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_CORPUS_OPERATOR_CORPUS_TESTLIB_H_
#define BURIN_RUNTIME_READERS_ONNX_CORPUS_OPERATOR_CORPUS_TESTLIB_H_

#include <string>
#include <vector>

#include "runtime/readers/onnx/onnx_model_testlib.h"

namespace burin::onnx {

// Returns all forms of all operators; some of operators that the reader refuses yet.
std::vector<SingleNode> OperatorCorpus();

// Returns those of translated operators, each in its opset, and in each older one that defined the operator anew and in
// which the form reads: the files of the corpus.
std::vector<SingleNode> ReadableCorpus();

// Returns whether the reader takes the node as it is.
bool Reads(const SingleNode& node);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_CORPUS_OPERATOR_CORPUS_TESTLIB_H_

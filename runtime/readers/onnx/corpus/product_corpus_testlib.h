// Part of the corpus: products, convolutions, windows, attention, recurrence and quantisation. For tests only.
#ifndef BURIN_RUNTIME_READERS_ONNX_CORPUS_PRODUCT_CORPUS_TESTLIB_H_
#define BURIN_RUNTIME_READERS_ONNX_CORPUS_PRODUCT_CORPUS_TESTLIB_H_

#include <vector>

#include "runtime/readers/onnx/onnx_model_testlib.h"

namespace burin::onnx {

// Returns the nodes, each in the newest opset that has its form.
std::vector<SingleNode> ProductCorpus();

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_CORPUS_PRODUCT_CORPUS_TESTLIB_H_

// Short notation for models of one node, of which the corpus is made. For tests only. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_CORPUS_CORPUS_NODE_TESTLIB_H_
#define BURIN_RUNTIME_READERS_ONNX_CORPUS_CORPUS_NODE_TESTLIB_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ir/tensor.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"

namespace burin::onnx {

struct CorpusAttribute {
  std::string name;
  std::variant<int64_t, double, std::string, std::vector<int64_t>, ir::Tensor> value;
};

// Returns a node that is read in `opset`: an empty tensor is an absent input, the first input is the model's, and the
// others are constants of it, unless Variable() says more.
SingleNode CorpusNode(const std::string& op, int64_t opset, std::vector<ir::Tensor> inputs,
                      std::vector<CorpusAttribute> attributes = {}, std::vector<int> outputs = {kFloat});

// Return f32 tensors: 1, 2, 3, ... divided by the number of elements; and as many equal ones.
ir::Tensor Ascending(const ir::Shape& shape);
ir::Tensor Filled(const ir::Shape& shape, double value);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_CORPUS_CORPUS_NODE_TESTLIB_H_

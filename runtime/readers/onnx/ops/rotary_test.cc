#include "runtime/readers/onnx/ops/rotary.h"

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

// A quarter of a turn takes (x1, x2) to (-x2, x1).
const ir::Tensor& Cosine() {
  static const ir::Tensor* const x = new ir::Tensor(F32({2, 2}, {5, 5, 0, 1}));
  return *x;
}
const ir::Tensor& Sine() {
  static const ir::Tensor* const x = new ir::Tensor(F32({2, 2}, {7, 7, 1, 0}));
  return *x;
}

TEST(RotaryTest, PairsAreHalvesOrNeighbours) {
  const ir::Tensor x = F32({1, 1, 1, 4}, {1, 2, 3, 4});
  const SingleNode node = SingleNode("RotaryEmbedding", 23).Inputs({x, Cosine(), Sine(), I64({1, 1}, {1})});
  ExpectComputes(node, {F32({1, 1, 1, 4}, {-3, 2, 1, 4})});
  ExpectComputes(SingleNode(node).With([](::onnx::NodeProto& proto) { SetInt(proto, "interleaved", 1); }),
                 {F32({1, 1, 1, 4}, {-2, 1, 3, 4})});
}

TEST(RotaryTest, ElementsBeyondStay) {
  const ir::Tensor x = F32({1, 1, 1, 6}, {1, 2, 3, 4, 5, 6});
  ExpectComputes(SingleNode("RotaryEmbedding", 23)
                     .Inputs({x, Cosine(), Sine(), I64({1, 1}, {1})})
                     .With([](::onnx::NodeProto& proto) { SetInt(proto, "rotary_embedding_dim", 4); }),
                 {F32({1, 1, 1, 6}, {-3, 2, 1, 4, 5, 6})});
}

}  // namespace
}  // namespace burin::onnx

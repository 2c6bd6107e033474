#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

TEST(MatmulTest, Gemm) {
  const ir::Tensor a = F32({2, 1}, {1, 2});
  const ir::Tensor b = F32({2, 1}, {3, 4});
  ExpectComputes(SingleNode("Gemm").Inputs({a, b}).With([](::onnx::NodeProto& node) { SetInt(node, "transB", 1); }),
                 {F32({2, 2}, {3, 4, 6, 8})});
  ExpectComputes(SingleNode("Gemm").Inputs({a, b, F32({1}, {10})}).With([](::onnx::NodeProto& node) {
    SetInt(node, "transA", 1);
    SetFloat(node, "alpha", 2);
    SetFloat(node, "beta", 0.5f);
  }),
                 {F32({1, 1}, {27})});
}

TEST(MatmulTest, FusedMatMul) {
  ExpectComputes(SingleNode("FusedMatMul")
                     .Domain("com.microsoft")
                     .Inputs({F32({1, 2}, {1, 2}), F32({1, 2}, {3, 4})})
                     .With([](::onnx::NodeProto& node) {
                       SetInt(node, "transB", 1);
                       SetFloat(node, "alpha", 0.5f);
                     }),
                 {F32({1, 1}, {5.5})});
}

TEST(MatmulTest, Einsum) {
  ExpectComputes(
      SingleNode("Einsum").Inputs({F32({2, 2}, {1, 2, 3, 4}), F32({2}, {1, 10})}).With([](::onnx::NodeProto& node) {
        SetString(node, "equation", "ij,j->i");
      }),
      {F32({2}, {21, 43})});
}

}  // namespace
}  // namespace burin::onnx

#include <vector>

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

// The values are those of ONNX Runtime.
TEST(MatmulTest, FusedMatMulWithTheBatchInTheMiddle) {
  const std::vector<double> numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const ir::Tensor plain = F32({3, 2, 2}, numbers);
  const ir::Tensor moved = F32({2, 3, 2}, numbers);
  const auto product = [](const ir::Tensor& a, const ir::Tensor& b, const std::vector<const char*>& attributes) {
    return SingleNode("FusedMatMul").Domain("com.microsoft").Inputs({a, b}).With([=](::onnx::NodeProto& node) {
      for (const char* const name : attributes) SetInt(node, name, 1);
    });
  };
  ExpectComputes(product(moved, plain, {"transBatchA"}),
                 {F32({3, 2, 2}, {2, 3, 14, 27, 26, 31, 86, 103, 82, 91, 190, 211})});
  ExpectComputes(product(moved, plain, {"transBatchA", "transA"}),
                 {F32({3, 2, 2}, {12, 18, 14, 22, 56, 66, 66, 78, 132, 146, 150, 166})});
  ExpectComputes(product(plain, moved, {"transBatchB", "transB"}),
                 {F32({3, 2, 2}, {1, 7, 3, 33, 23, 77, 33, 111, 77, 179, 95, 221})});
}

TEST(MatmulTest, Einsum) {
  ExpectComputes(
      SingleNode("Einsum").Inputs({F32({2, 2}, {1, 2, 3, 4}), F32({2}, {1, 10})}).With([](::onnx::NodeProto& node) {
        SetString(node, "equation", "ij,j->i");
      }),
      {F32({2}, {21, 43})});
}

TEST(MatmulTest, Determinants) {
  ExpectComputes(SingleNode("Det").Inputs({F32({2, 2, 2}, {1, 2, 3, 4, 1, 2, 2, 1})}), {F32({2}, {-2, -3})}, 1e-6);
}

TEST(MatMulTest, ExtensionsOfProducts) {
  const ir::Tensor a = ir::F32({2, 1}, {1, -2});
  const ir::Tensor b = ir::F32({2, 1}, {3, 2});
  // 3 - 4 and its bias of -9 leave -10.
  ExpectComputes(SingleNode("FusedGemm")
                     .Domain("com.microsoft")
                     .Inputs({a, b, ir::F32({1}, {-9})})
                     .With([](::onnx::NodeProto& node) {
                       SetInt(node, "transA", 1);
                       SetString(node, "activation", "LeakyRelu");
                       SetFloat(node, "activation_alpha", 0.5F);
                     }),
                 {ir::F32({1, 1}, {-5})});
  ExpectComputes(SingleNode("TransposeMatMul").Domain("com.microsoft").Inputs({a, b}).With([](auto& node) {
    SetInt(node, "transA", 1);
    SetFloat(node, "alpha", 2);
  }),
                 {ir::F32({1, 1}, {-2})});
}

}  // namespace
}  // namespace burin::onnx

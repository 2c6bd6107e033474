#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I32;
using ir::I64;

SingleNode Microsoft(const std::string& op, int64_t heads, int64_t unidirectional = 0) {
  return SingleNode(op).Domain("com.microsoft").With([=](::onnx::NodeProto& node) {
    if (heads > 0) SetInt(node, "num_heads", heads);
    if (unidirectional != 0) SetInt(node, "unidirectional", unidirectional);
  });
}

// Tokens of one element; query and key are 0 times it, so that all keys weigh the same, and the value is ten times it.
const ir::Tensor& Weights() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 3}, {0, 0, 10}));
  return *x;
}

TEST(AttentionTest, ProjectsAndAverages) {
  const ir::Tensor x = F32({1, 2, 1}, {1, 3});
  ExpectComputesStatic(Microsoft("Attention", 1).Inputs({x, Weights(), F32({3}, {0, 0, 1})}),
                       {F32({1, 2, 1}, {21, 21})}, 1e-6);
  ExpectComputesStatic(Microsoft("Attention", 1, 1).Inputs({x, Weights()}), {F32({1, 2, 1}, {10, 20})}, 1e-6);
}

TEST(AttentionTest, PastAndPresentAreOneTensor) {
  const ir::Tensor past = F32({2, 1, 1, 1, 1}, {5, 50});
  ExpectComputesStatic(Microsoft("Attention", 1, 1)
                           .Inputs({F32({1, 1, 1}, {1}), Weights(), ir::Tensor(), ir::Tensor(), past})
                           .Outputs({kFloat, kFloat}),
                       {F32({1, 1, 1}, {30}), F32({2, 1, 1, 2, 1}, {5, 0, 50, 10})}, 1e-6);
}

TEST(AttentionTest, MasksOfEachForm) {
  const ir::Tensor x = F32({1, 3, 1}, {1, 2, 6});
  const auto masked = [&](const ir::Tensor& mask, double y) {
    ExpectComputesStatic(Microsoft("Attention", 1).Inputs({x, Weights(), ir::Tensor(), mask}),
                         {F32({1, 3, 1}, {y, y, y})}, 1e-6);
  };
  masked(I32({1, 3}, {1, 0, 1}), 35);
  masked(I32({1, 3, 3}, {0, 1, 1, 0, 1, 1, 0, 1, 1}), 40);
  masked(I32({1}, {2}), 15);     // The first two.
  masked(I32({2}, {3, 1}), 40);  // Those from 1 up to 3.
  // What masks everything masks nothing: scores are all lower by the same.
  masked(I32({1, 3}, {0, 0, 0}), 30);
}

TEST(MultiHeadAttentionTest, HeadsSideBySideWithABias) {
  // Two heads; queries and keys are 0 but for the bias, values 1 and 3, and 10 and 30.
  const ir::Tensor zero = F32({1, 2, 2}, {0, 0, 0, 0});
  const ir::Tensor value = F32({1, 2, 2}, {1, 10, 3, 30});
  ExpectComputes(
      Microsoft("MultiHeadAttention", 2)
          .Inputs({zero, zero, value, F32({6}, {7, 7, 0, 0, 100, 200})})
          .Outputs({kFloat, kFloat, kFloat}),
      {F32({1, 2, 2}, {102, 220, 102, 220}), F32({1, 2, 2, 1}, {0, 0, 0, 0}), F32({1, 2, 2, 1}, {101, 103, 210, 230})},
      1e-6);
}

TEST(MultiHeadAttentionTest, PackedTensors) {
  // [batch, tokens, heads, 3, size]
  ExpectComputes(Microsoft("MultiHeadAttention", 1).Inputs({F32({1, 2, 1, 3, 1}, {0, 1, 4, 0, 2, 8})}),
                 {F32({1, 2, 1}, {6, 6})}, 1e-6);
  ExpectComputes(Microsoft("MultiHeadAttention", 1).Inputs({F32({1, 1, 1}, {0}), F32({1, 2, 1, 2, 1}, {1, 4, 2, 8})}),
                 {F32({1, 1, 1}, {6})}, 1e-6);
}

TEST(MultiHeadAttentionTest, PastMaskAndBias) {
  const ir::Tensor one = F32({1, 1, 1}, {1});
  ExpectComputes(
      Microsoft("MultiHeadAttention", 1)
          .Inputs({F32({1, 1, 1}, {0}), one, F32({1, 1, 1}, {9}), ir::Tensor(), I32({1, 3}, {1, 0, 1}),
                   F32({1, 1, 1, 3}, {0, 0, std::log(3)}), F32({1, 1, 2, 1}, {0, 0}), F32({1, 1, 2, 1}, {1, 100})})
          .Variable(1),
      {F32({1, 1, 1}, {7})}, 1e-6);
}

TEST(AttentionTest, RefusesWithoutHeads) {
  EXPECT_THAT(ReadBytes(FileOf(Microsoft("Attention", 0).Inputs({F32({1, 1, 1}, {1}), Weights()}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("num_heads")));
}

TEST(MicrosoftRotaryEmbeddingTest, PositionsAreGivenOrCounted) {
  const ir::Tensor x = F32({1, 2, 2}, {1, 2, 3, 4});
  const ir::Tensor cosine = F32({3, 1}, {1, 0, -1});
  const ir::Tensor sine = F32({3, 1}, {0, 1, 0});
  // The first token stays, the second makes a quarter turn; or a quarter and a half.
  ExpectComputes(Microsoft("RotaryEmbedding", 0).Inputs({x, I64({1, 2}, {0, 1}), cosine, sine}),
                 {F32({1, 2, 2}, {1, 2, -4, 3})});
  ExpectComputes(Microsoft("RotaryEmbedding", 0).Inputs({x, I64({1}, {1}), cosine, sine}),
                 {F32({1, 2, 2}, {-2, 1, -3, -4})});
  ExpectComputes(Microsoft("RotaryEmbedding", 0).Inputs({x, I64({}, {1}), cosine, sine}),
                 {F32({1, 2, 2}, {-2, 1, -3, -4})});
}

// One token sees itself alone, so that its value is the result: 1 * 3 - 0.5 * 2 + 0.25.
TEST(AttentionTest, OfIntegers) {
  ExpectComputes(
      SingleNode("QAttention")
          .Domain("com.microsoft")
          .Inputs({ir::U8({1, 1, 2}, {130, 127}), ir::I8({2, 3}, {1, 2, 31, 3, 4, 21}), ir::F32({3}, {0.5, 0.5, 0.25}),
                   ir::F32({}, {0.5}), ir::F32({}, {0.1}), ir::Tensor(), ir::U8({}, {128}), ir::I8({}, {1})})
          .With([](::onnx::NodeProto& node) { SetInt(node, "num_heads", 1); }),
      {ir::F32({1, 1, 1}, {2.25})}, 1e-6);
}

}  // namespace
}  // namespace burin::onnx

#include <cmath>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I32;

TEST(SkipNormalizationTest, OfLayers) {
  // 1, 3 after the sum with its bias.
  ExpectComputes(SingleNode("SkipLayerNormalization")
                     .Domain("com.microsoft")
                     .Inputs({F32({1, 1, 2}, {0, 1}), F32({1, 1, 2}, {1, 1}), F32({2}, {1, 2}), F32({2}, {0, 1}),
                              F32({2}, {0, 1})})
                     .Outputs({kFloat, 0, 0, kFloat}),
                 {F32({1, 1, 2}, {-1, 3}), F32({1, 1, 2}, {1, 3})}, 1e-6);
}

TEST(SkipNormalizationTest, OfRootMeanSquares) {
  ExpectComputes(SingleNode("SkipSimplifiedLayerNormalization")
                     .Domain("com.microsoft")
                     .Inputs({F32({1, 2}, {1, 1}), F32({1, 2}, {2, 3}), F32({2}, {1, 2})})
                     .Outputs({kFloat, 0, 0, kFloat}),
                 {F32({1, 2}, {3 / std::sqrt(12.5), 8 / std::sqrt(12.5)}), F32({1, 2}, {3, 4})}, 1e-6);
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("SkipSimplifiedLayerNormalization")
                                   .Domain("com.microsoft")
                                   .Inputs({F32({1, 2}, {1, 1}), F32({1, 2}, {2, 3}), F32({2}, {1, 2})})
                                   .Outputs({kFloat, kFloat}))),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("statistics")));
}

TEST(SkipNormalizationTest, OfEmbeddings) {
  // Words 1 and 0, segments 0 and 1: sums (1, 3) and (5, 9).
  ExpectComputes(
      SingleNode("EmbedLayerNormalization")
          .Domain("com.microsoft")
          .Inputs({I32({1, 2}, {1, 0}), I32({1, 2}, {0, 1}), F32({2, 2}, {4, 6, 1, 2}), F32({2, 2}, {0, 1, 0, 1}),
                   F32({2, 2}, {0, 0, 1, 2}), F32({2}, {1, 1}), F32({2}, {0, 10}), I32({1, 2}, {1, 0})})
          .Outputs({kFloat, kInt32, kFloat}),
      {F32({1, 2, 2}, {-1, 11, -1, 11}), I32({1}, {1}), F32({1, 2, 2}, {1, 3, 5, 9})}, 1e-6);
}

TEST(SkipNormalizationTest, RefusesTablesOfOtherTypes) {
  const ir::Tensor two = F32({2}, {1, 1});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("EmbedLayerNormalization")
                                   .Domain("com.microsoft")
                                   .Inputs({I32({1, 1}, {0}), ir::Tensor(), I32({1, 2}, {4, 6}), F32({1, 2}, {0, 1}),
                                            ir::Tensor(), two, two}))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::onnx

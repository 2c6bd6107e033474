#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::Bool;
using ir::F32;
using ir::I64;

using AddAttributes = std::function<void(::onnx::NodeProto&)>;

// Products are 0: all keys that count weigh the same.
ir::Tensor EqualQueries(int64_t count) { return F32({1, 1, count, 1}, std::vector<double>(count, 0)); }
ir::Tensor Keys(int64_t count) { return F32({1, 1, count, 1}, std::vector<double>(count, 1)); }

TEST(AttentionTest, ThreeAxesHoldHeadsSideBySide) {
  const AddAttributes heads = [](::onnx::NodeProto& node) {
    SetInt(node, "q_num_heads", 2);
    SetInt(node, "kv_num_heads", 1);
    SetFloat(node, "scale", 1);
  };
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({F32({1, 1, 2}, {0, std::log(3)}), F32({1, 2, 1}, {0, 1}), F32({1, 2, 2}, {0, 1, 4, 5})})
                     .With(heads),
                 {F32({1, 1, 4}, {2, 3, 3, 4})}, 1e-6);
}

TEST(AttentionTest, KeysOfThePastComeFirst) {
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({EqualQueries(1), Keys(1), F32({1, 1, 1, 1}, {9}), ir::Tensor(), F32({1, 1, 2, 1}, {5, 6}),
                              F32({1, 1, 2, 1}, {0, 3})})
                     .Outputs({kFloat, kFloat, kFloat}),
                 {F32({1, 1, 1, 1}, {4}), F32({1, 1, 3, 1}, {5, 6, 1}), F32({1, 1, 3, 1}, {0, 3, 9})}, 1e-6);
}

TEST(AttentionTest, CausalQueriesSeeThePastAndThemselves) {
  const AddAttributes causal = [](::onnx::NodeProto& node) { SetInt(node, "is_causal", 1); };
  ExpectComputes(SingleNode("Attention", 23).Inputs({EqualQueries(2), Keys(2), F32({1, 1, 2, 1}, {2, 6})}).With(causal),
                 {F32({1, 1, 2, 1}, {2, 4})}, 1e-6);
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({EqualQueries(2), Keys(2), F32({1, 1, 2, 1}, {2, 6}), ir::Tensor(), F32({1, 1, 1, 1}, {0}),
                              F32({1, 1, 1, 1}, {4})})
                     .With(causal),
                 {F32({1, 1, 2, 1}, {3, 4})}, 1e-6);
}

TEST(AttentionTest, MasksOfBooleansKeepAndThoseOfNumbersAreAdded) {
  const ir::Tensor values = F32({1, 1, 2, 1}, {0, 4});
  ExpectComputes(SingleNode("Attention", 23).Inputs({EqualQueries(2), Keys(2), values, Bool({2, 2}, {1, 0, 1, 1})}),
                 {F32({1, 1, 2, 1}, {0, 2})}, 1e-6);
  ExpectComputes(
      SingleNode("Attention", 23).Inputs({EqualQueries(1), Keys(2), values, F32({1, 1, 1, 2}, {0, std::log(3)})}),
      {F32({1, 1, 1, 1}, {3})}, 1e-6);
}

TEST(AttentionTest, KeysBeyondTheMaskAndBeyondTheLengthTakeNoPart) {
  const ir::Tensor values = F32({1, 1, 3, 1}, {1, 3, 100});
  ExpectComputes(SingleNode("Attention", 24).Inputs({EqualQueries(1), Keys(3), values, Bool({1, 2}, {1, 1})}),
                 {F32({1, 1, 1, 1}, {2})}, 1e-6);
  ExpectComputes(SingleNode("Attention", 24).Inputs({EqualQueries(1), Keys(3), values, F32({1, 2}, {0, 0})}),
                 {F32({1, 1, 1, 1}, {2})}, 1e-6);
  ExpectComputes(
      SingleNode("Attention", 24)
          .Inputs({EqualQueries(1), Keys(3), values, ir::Tensor(), ir::Tensor(), ir::Tensor(), I64({1}, {2})}),
      {F32({1, 1, 1, 1}, {2})}, 1e-6);
}

TEST(AttentionTest, RefusesWhatTheStandardForbids) {
  const auto error = [](const SingleNode& node) { return ReadBytes(FileOf(node)).status(); };
  EXPECT_THAT(error(SingleNode("Attention", 23).Inputs({EqualQueries(1), Keys(1), Keys(1), ir::Tensor(), Keys(1)})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("past keys and values")));
  EXPECT_THAT(
      error(SingleNode("Attention", 23).Inputs({F32({1, 1, 1}, {0}), F32({1, 1, 1}, {0}), F32({1, 1, 1}, {0})})),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("numbers of heads")));
  EXPECT_THAT(
      error(SingleNode("Attention", 23).Inputs({EqualQueries(1), Keys(1), Keys(1)}).With([](::onnx::NodeProto& node) {
        SetInt(node, "qk_matmul_output_mode", 4);
      })),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[0, 3]")));
}

TEST(RotaryEmbeddingTest, AnglesOfEachTokenAndElementsThatStay) {
  // Two tokens of two heads of three elements, of which two turn; the second token stays as it is.
  const ir::Tensor x = F32({1, 2, 6}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  ExpectComputes(SingleNode("RotaryEmbedding", 23)
                     .Inputs({x, F32({1, 2, 1}, {0, 1}), F32({1, 2, 1}, {1, 0})})
                     .With([](::onnx::NodeProto& node) {
                       SetInt(node, "num_heads", 2);
                       SetInt(node, "rotary_embedding_dim", 2);
                     }),
                 {F32({1, 2, 6}, {-2, 1, 3, -5, 4, 6, 1, 2, 3, 4, 5, 6})});
}

TEST(RotaryEmbeddingTest, RefusesWhatTheStandardForbids) {
  const ir::Tensor x = F32({1, 1, 2}, {1, 2});
  const ir::Tensor angle = F32({1, 1, 1}, {1});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("RotaryEmbedding", 23).Inputs({x, angle, angle}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("num_heads")));
  EXPECT_THAT(
      ReadBytes(FileOf(SingleNode("RotaryEmbedding", 23).Inputs({x, angle, angle}).With([](::onnx::NodeProto& node) {
        SetInt(node, "num_heads", 1);
        SetInt(node, "rotary_embedding_dim", 1);
      }))),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("even")));
}

}  // namespace
}  // namespace burin::onnx

#include "runtime/readers/onnx/graph_builder.h"

#include <cstdint>
#include <optional>

#include "ir/ops/op_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

class GraphBuilderTest : public ::testing::Test {
 protected:
  ir::Model model_;
  ReadBudget budget_{0};
  GraphBuilder b_{&model_, &budget_, "node", "original"};
};

TEST_F(GraphBuilderTest, NamesWhatItAdds) {
  ASSERT_OK_AND_ASSIGN(const ir::Value x, model_.AddParameter("x", ElementType::kF32, {2}));
  const ir::Value y = b_.Plus(x, b_.ScalarLike(x, 1));
  ASSERT_OK(b_.status());
  EXPECT_EQ(model_.node(y.node).name(), "node/Add");
  EXPECT_THAT(model_.node(y.node).original_names(), ElementsAre("original"));
}

TEST_F(GraphBuilderTest, TheFirstErrorStays) {
  b_.Fail(absl::OkStatus());
  EXPECT_TRUE(b_.ok());
  b_.Fail(absl::InvalidArgumentError("first"));
  b_.Fail(absl::InvalidArgumentError("second"));
  EXPECT_EQ(b_.status().message(), "first");
  EXPECT_FALSE(b_.Int(1).exists());
  EXPECT_EQ(model_.node_count(), 0);
}

TEST_F(GraphBuilderTest, RefusesWhatInferenceRefuses) {
  const ir::Value sum = b_.Plus(b_.Ints({1, 2}), b_.Ints({1, 2, 3}));
  EXPECT_FALSE(sum.exists());
  EXPECT_THAT(b_.status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(GraphBuilderTest, KnowsConstants) {
  EXPECT_THAT(b_.IntsOf(b_.Ints({4, -1})), Optional(ElementsAre(4, -1)));
  EXPECT_THAT(b_.NumberOf(b_.Scalar(ElementType::kF16, 0.5)), Optional(0.5));
  EXPECT_EQ(b_.NumberOf(b_.Ints({1, 2})), std::nullopt);
  ASSERT_OK_AND_ASSIGN(const ir::Value x, model_.AddParameter("x", ElementType::kI64, {1}));
  EXPECT_EQ(b_.IntsOf(x), std::nullopt);
}

TEST_F(GraphBuilderTest, ConstantsAreReshapedInPlace) {
  const ir::Value vector = b_.Ints({1, 2, 3, 4});
  const ir::Value matrix = b_.Reshape(vector, {2, -1});
  ASSERT_OK(b_.status());
  EXPECT_EQ(b_.ConstantOf(matrix)->data(), b_.ConstantOf(vector)->data());
  EXPECT_EQ(b_.ShapeOf(matrix).ToString(), "[2,2]");
  b_.Reshape(vector, {3, -1});
  EXPECT_THAT(b_.status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(GraphBuilderTest, ChargesWhatItAdds) {
  const uint64_t before = budget_.remaining_bytes();
  b_.Int(1);
  EXPECT_LT(budget_.remaining_bytes(), before);
  ASSERT_OK(budget_.Charge(budget_.remaining_bytes()));
  b_.Int(1);
  EXPECT_THAT(b_.status(), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST_F(GraphBuilderTest, RanksMayBeUnknown) {
  ASSERT_OK_AND_ASSIGN(const ir::Value x, model_.AddParameter("x", ElementType::kF32, ir::PartialShape::DynamicRank()));
  EXPECT_EQ(b_.RankOf(x), std::nullopt);
  EXPECT_EQ(b_.KnownRank(x), 0);
  EXPECT_THAT(b_.status(), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::onnx

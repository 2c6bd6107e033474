#include "transformations/control_flow/inline_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<ir::Model> Parse(const char* text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  return *std::move(model);
}

TEST(InlineBodyTest, TwoCallsShareWhatDoesNotChange) {
  const std::unique_ptr<ir::Model> body = Parse(R"(model "" {
  %0 "state" = Parameter()
  %1 "weights" = Parameter()
  %2 = Constant() {value = f32[]{2}}
  %3 "scaled" = Multiply(%1, %2)
  %4 "next" = Subtract(%0, %3)
  %5 "r" = Result(%4)
})");
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "x" = Parameter()
  %1 "w" = Parameter()
  %2 "relu" = Relu(%0)
  %3 "out" = Result(%2)
})");
  const ir::Value x{model->FindNode("x"), 0};
  const ir::Value w{model->FindNode("w"), 0};
  ir::Patch patch(*model);
  BodyInliner inliner(*body, &patch);
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Value> first, inliner.Inline({x, w}, "_0"));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Value> second, inliner.Inline({first[0], w}, "_1"));
  patch.Replace(ir::Value{model->FindNode("relu"), 0}, second[0]);
  ASSERT_OK(std::move(patch).Apply(model.get()));
  EXPECT_OK(ir::CompareStructure(*model, *Parse(R"(model "" {
  %0 "x" = Parameter()
  %1 "w" = Parameter()
  %2 = Constant() {value = f32[]{2}}
  %3 = Multiply(%1, %2)
  %4 = Subtract(%0, %3)
  %5 = Subtract(%4, %3)
  %6 "out" = Result(%5)
})")));
  EXPECT_EQ(model->node_count(), 7);
  EXPECT_NE(model->FindNode("scaled_0"), ir::NodeId::kNone);
  EXPECT_NE(model->FindNode("next_1"), ir::NodeId::kNone);
}

TEST(InlineBodyTest, AResultMayBeAnArgument) {
  const std::unique_ptr<ir::Model> body = Parse(R"(model "" {
  %0 "a" = Parameter()
  %1 "b" = Parameter()
  results(%3, %2)
  %2 = Result(%0)
  %3 = Result(%1)
})");
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "x" = Parameter()
  %1 "y" = Parameter()
})");
  const ir::Value x{model->FindNode("x"), 0};
  const ir::Value y{model->FindNode("y"), 0};
  ir::Patch patch(*model);
  EXPECT_THAT(BodyInliner(*body, &patch).Inline({x, y}, ""), IsOkAndHolds(std::vector<ir::Value>{y, x}));
  EXPECT_TRUE(patch.empty());
}

TEST(InlineBodyTest, VariablesCannotMove) {
  EXPECT_OK(CheckInlinable(*Parse(R"(model "" {
  %0 "a" = Parameter()
  %1 = Result(%0)
})")));
  EXPECT_THAT(CheckInlinable(*Parse(R"(model "" {
  variable "v" : f32[1]
  %0 "a" = Parameter()
  %1 = Result(%0)
})")),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("variables")));
}

TEST(InlineBodyTest, TellsWhatParametersDeclareBeyondTheArguments) {
  const std::unique_ptr<ir::Model> body = Parse(R"(model "" {
  %0 "a" = Parameter() {shape = [n,1..4]}
  %1 = Result(%0)
})");
  const auto declares_nothing_new = [&body](ir::PartialShape shape) {
    ir::ValueInfo info;
    info.type = ElementType::kF32;
    info.shape = std::move(shape);
    const ir::ValueInfo* const argument = &info;
    return DeclaresNothingNew(*body, {argument});
  };
  EXPECT_TRUE(declares_nothing_new({7, 3}));
  EXPECT_TRUE(declares_nothing_new({ir::Dimension(), ir::Dimension(1, 4)}));
  EXPECT_FALSE(declares_nothing_new({7, ir::Dimension(0, 4)}));
  EXPECT_FALSE(declares_nothing_new({7, ir::Dimension(1, 5)}));
  EXPECT_FALSE(declares_nothing_new(ir::PartialShape::DynamicRank()));
}

}  // namespace
}  // namespace burin::transformations

#include "transformations/matcher/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MatchTest : public ::testing::Test {
 protected:
  MatchTest() {
    x_ = *model_.AddParameter("x", ElementType::kF32, ir::PartialShape{2});
    c_ = *model_.AddConstant(ir::F32({2}, {1, 2}), "c");
  }
  ir::Model model_;
  ir::Value x_;
  ir::Value c_;
};

TEST_F(MatchTest, TellsWhatWasCaptured) {
  Match match(model_, nullptr);
  EXPECT_FALSE(match.has("x"));
  match.Bind("x", x_);
  match.Bind("c", c_);
  EXPECT_TRUE(match.has("x"));
  EXPECT_EQ(match.value("x"), x_);
  EXPECT_EQ(match.node("x").name(), "x");
  EXPECT_EQ(match.info("x").shape, (ir::PartialShape{2}));
  ir::ExpectTensorEq(match.constant("c"), ir::F32({2}, {1, 2}));
  EXPECT_EQ(&match.model(), &model_);
}

TEST_F(MatchTest, KeepsSeveralValuesUnderOneName) {
  Match match(model_, nullptr);
  match.Bind("each", x_);
  match.Bind("other", x_);
  match.Bind("each", c_);
  EXPECT_THAT(match.all("each"), ElementsAre(x_, c_));
  EXPECT_THAT(match.all("none"), IsEmpty());
}

TEST_F(MatchTest, ForgetsWhatCameAfter) {
  Match match(model_, nullptr);
  match.Bind("x", x_);
  match.Bind("c", c_);
  match.Rewind(1);
  EXPECT_EQ(match.size(), 1u);
  EXPECT_TRUE(match.has("x"));
  EXPECT_FALSE(match.has("c"));
}

TEST_F(MatchTest, AskingForWhatIsNotThereIsABug) {
  Match match(model_, nullptr);
  match.Bind("x", x_);
  EXPECT_DEATH(match.value("y"), "nothing was captured under the name y");
  EXPECT_DEATH(match.constant("x"), "not known");
  match.Bind("x", c_);
  EXPECT_DEATH(match.value("x"), "several values");
}

TEST_F(MatchTest, KeepsTheOwnerOfTheNames) {
  auto owner = std::make_shared<const int>(0);
  const std::weak_ptr<const int> alive = owner;
  {
    const Match match(model_, std::move(owner));
    EXPECT_FALSE(alive.expired());
  }
  EXPECT_TRUE(alive.expired());
}

}  // namespace
}  // namespace burin::transformations

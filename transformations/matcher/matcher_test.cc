#include "transformations/matcher/matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/pattern.h"

namespace burin::transformations {
namespace {

using ::burin::ir::OpCode;
using ::testing::ElementsAre;

std::unique_ptr<ir::Model> Parse(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model);
  return *std::move(model);
}

std::optional<Match> Find(const Pattern& pattern, const ir::Model& model, absl::string_view root) {
  return MatchAt(pattern, model, model.FindNode(root), ir::PassContext());
}

std::string NameOf(const Match& match, absl::string_view capture) { return match.node(capture).name(); }

std::vector<std::string> NamesOf(const Match& match, absl::string_view capture) {
  std::vector<std::string> names;
  for (const ir::Value& value : match.all(capture)) names.push_back(match.model().node(value.node).name());
  return names;
}

// sum = bias + MatMul(x, w)
constexpr char kBiasFirst[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 "w" = Constant() {value = f32[2,3]{1, 2, 3, 4, 5, 6}}
  %2 "bias" = Constant() {value = f32[3]{1, 2, 3}}
  %3 "product" = MatMul(%0, %1)
  %4 "sum" = Add(%2, %3)
  %5 "out" = Result(%4)
})";

Pattern Biased() {
  return Op(OpCode::kAdd)
      .Input(0, Op(OpCode::kMatMul).Input(0, Any().Capture("x")).Capture("product"))
      .Input(1, Constant().Capture("bias"));
}

TEST(MatcherTest, CapturesByName) {
  const std::unique_ptr<ir::Model> model = Parse(kBiasFirst);
  const std::optional<Match> match = Find(Biased().Commutative(), *model, "sum");
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(NameOf(*match, "x"), "x");
  EXPECT_EQ(NameOf(*match, "product"), "product");
  EXPECT_EQ(NameOf(*match, "bias"), "bias");
}

TEST(MatcherTest, TakesInputsInOrderUnlessCommutative) {
  const std::unique_ptr<ir::Model> model = Parse(kBiasFirst);
  EXPECT_FALSE(Find(Biased(), *model, "sum").has_value());
  EXPECT_FALSE(Find(Biased().Commutative(), *model, "product").has_value());
}

TEST(MatcherTest, AMatchOutlivesItsPattern) {
  const std::unique_ptr<ir::Model> model = Parse(kBiasFirst);
  std::optional<Match> match;
  {
    const Pattern pattern = Biased().Commutative();
    match = Find(pattern, *model, "sum");
  }
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(NameOf(*match, "bias"), "bias");
}

// Which order the inner Add must take is known at the outer one's second input alone.
TEST(MatcherTest, TriesTheOtherOrderWhereALaterPartFails) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "a" = Parameter() {shape = [2]}
  %1 "b" = Parameter() {shape = [2]}
  %2 "sum" = Add(%0, %1)
  %3 "difference" = Subtract(%2, %1)
  %4 "out" = Result(%3)
})");
  const Pattern pattern =
      Op(OpCode::kSubtract)
          .Input(0, Op(OpCode::kAdd).Commutative().Input(0, Any().Capture("same")).Input(1, Any().Capture("other")))
          .Input(1, Any().Capture("same"));
  const std::optional<Match> match = Find(pattern, *model, "difference");
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(NameOf(*match, "same"), "b");
  EXPECT_EQ(NameOf(*match, "other"), "a");
}

TEST(MatcherTest, OneNameIsOneValue) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "a" = Parameter() {shape = [2]}
  %1 "b" = Parameter() {shape = [2]}
  %2 "square" = Multiply(%0, %0)
  %3 "product" = Multiply(%0, %1)
  %4 "out" = Result(%2)
  %5 "out2" = Result(%3)
})");
  const Pattern square = Op(OpCode::kMultiply).Input(0, Any().Capture("x")).Input(1, Any().Capture("x"));
  EXPECT_TRUE(Find(square, *model, "square").has_value());
  EXPECT_FALSE(Find(square, *model, "product").has_value());
}

constexpr char kChain[] = R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "r1" = Relu(%0)
  %2 "r2" = Relu(%1)
  %3 "r3" = Relu(%2)
  %4 "n" = Negative(%3)
  %5 "out" = Result(%4)
})";

TEST(MatcherTest, AnOptionalNodeMayBeThereOrNot) {
  const std::unique_ptr<ir::Model> model = Parse(kChain);
  const Pattern skipping =
      Op(OpCode::kNegative).Input(0, Optional(Op(OpCode::kRelu).Capture("relu"), Op(OpCode::kRelu).Capture("x")));
  const std::optional<Match> with = Find(skipping, *model, "n");
  ASSERT_TRUE(with.has_value());
  EXPECT_EQ(NameOf(*with, "relu"), "r3");
  EXPECT_EQ(NameOf(*with, "x"), "r2");
  const Pattern other = Op(OpCode::kNegative).Input(0, Optional(Op(OpCode::kAbs).Capture("abs"), Any().Capture("x")));
  const std::optional<Match> without = Find(other, *model, "n");
  ASSERT_TRUE(without.has_value());
  EXPECT_FALSE(without->has("abs"));
  EXPECT_EQ(NameOf(*without, "x"), "r3");
}

// The optional Relu is there, but the whole matches only where it is taken for what lies below.
TEST(MatcherTest, GoesOnWithoutAnOptionalNodeThatWouldHideTheMatch) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "r1" = Relu(%0)
  %2 "n" = Negative(%1)
  %3 "out" = Result(%2)
})");
  const Pattern pattern =
      Op(OpCode::kNegative).Input(0, Optional(Op(OpCode::kRelu).Capture("first"), Op(OpCode::kRelu).Capture("x")));
  const std::optional<Match> match = Find(pattern, *model, "n");
  ASSERT_TRUE(match.has_value());
  EXPECT_FALSE(match->has("first"));
  EXPECT_EQ(NameOf(*match, "x"), "r1");
}

Pattern NegatedChain(int64_t min, int64_t max) {
  return Op(OpCode::kNegative)
      .Input(0, Repeat(Op(OpCode::kRelu).CaptureEach("relus"), Any().Capture("below"), min, max));
}

TEST(MatcherTest, RepeatsTakeTheLongestChain) {
  const std::unique_ptr<ir::Model> model = Parse(kChain);
  const std::optional<Match> all = Find(NegatedChain(0, 9), *model, "n");
  ASSERT_TRUE(all.has_value());
  EXPECT_THAT(NamesOf(*all, "relus"), ElementsAre("r3", "r2", "r1"));
  EXPECT_EQ(NameOf(*all, "below"), "x");
  const std::optional<Match> two = Find(NegatedChain(1, 2), *model, "n");
  ASSERT_TRUE(two.has_value());
  EXPECT_THAT(NamesOf(*two, "relus"), ElementsAre("r3", "r2"));
  EXPECT_EQ(NameOf(*two, "below"), "r1");
  EXPECT_TRUE(Find(NegatedChain(3, 3), *model, "n").has_value());
  EXPECT_FALSE(Find(NegatedChain(4, 9), *model, "n").has_value());
}

TEST(MatcherTest, ARepeatGivesBackWhatTheRestNeeds) {
  const std::unique_ptr<ir::Model> model = Parse(kChain);
  const Pattern pattern =
      Op(OpCode::kNegative)
          .Input(0, Repeat(Op(OpCode::kRelu).CaptureEach("relus"), Op(OpCode::kRelu).Capture("last"), 0, 9));
  const std::optional<Match> match = Find(pattern, *model, "n");
  ASSERT_TRUE(match.has_value());
  EXPECT_THAT(NamesOf(*match, "relus"), ElementsAre("r3", "r2"));
  EXPECT_EQ(NameOf(*match, "last"), "r1");
}

TEST(MatcherTest, RepeatsFollowTheInputAskedFor) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "y" = Parameter() {shape = [2]}
  %2 "d1" = Subtract(%0, %1)
  %3 "d2" = Subtract(%0, %2)
  %4 "out" = Result(%3)
})");
  const std::optional<Match> match =
      Find(Repeat(Op(OpCode::kSubtract).CaptureEach("each"), Any().Capture("end"), 1, 4, 1), *model, "d2");
  ASSERT_TRUE(match.has_value());
  EXPECT_THAT(NamesOf(*match, "each"), ElementsAre("d2", "d1"));
  EXPECT_EQ(NameOf(*match, "end"), "y");
}

TEST(MatcherTest, ChoicesTakeTheFirstThatMatches) {
  const std::unique_ptr<ir::Model> model = Parse(kChain);
  const Pattern pattern = AnyOf({Op(OpCode::kAbs).Capture("abs"), Op(OpCode::kNegative).Capture("negative"),
                                 Op({OpCode::kNegative, OpCode::kAbs}).Capture("either")});
  const std::optional<Match> match = Find(pattern, *model, "n");
  ASSERT_TRUE(match.has_value());
  EXPECT_TRUE(match->has("negative"));
  EXPECT_FALSE(match->has("abs"));
  EXPECT_FALSE(match->has("either"));
  EXPECT_FALSE(Find(pattern, *model, "r1").has_value());
}

TEST(MatcherTest, AbsentInputsMatchAbsentAlone) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "x" = Parameter() {shape = [1,2]}
  %1 "axis" = Constant() {value = i64[1]{0}}
  %2 "all" = Squeeze(%0)
  %3 "one" = Squeeze(%0, %1)
  %4 "out" = Result(%2)
  %5 "out2" = Result(%3)
})");
  const Pattern without = Op(OpCode::kSqueeze).Input(1, Absent());
  EXPECT_TRUE(Find(without, *model, "all").has_value());
  EXPECT_FALSE(Find(without, *model, "one").has_value());
  const Pattern with = Op(OpCode::kSqueeze).Input(1, Any());
  EXPECT_FALSE(Find(with, *model, "all").has_value());
  EXPECT_TRUE(Find(with, *model, "one").has_value());
  const Pattern either = Op(OpCode::kSqueeze).Input(1, AnyOf({Absent(), Constant().Capture("axis")}));
  ASSERT_TRUE(Find(either, *model, "all").has_value());
  EXPECT_FALSE(Find(either, *model, "all")->has("axis"));
  ASSERT_TRUE(Find(either, *model, "one").has_value());
  EXPECT_TRUE(Find(either, *model, "one")->has("axis"));
}

TEST(MatcherTest, MatchesAnyOutput) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
  %0 "x" = Parameter() {shape = [4]}
  %1 "axis" = Constant() {value = i64[]{0}}
  %2 "parts" = Split(%0, %1) {num_splits = 2}
  %3 "sum" = Add(%2, %2.1)
  %4 "out" = Result(%3)
})");
  const Pattern pattern =
      Op(OpCode::kAdd).Input(0, Op(OpCode::kSplit).Output(0)).Input(1, Op(OpCode::kSplit).Output(1).Capture("second"));
  const std::optional<Match> match = Find(pattern, *model, "sum");
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->value("second").output, 1);
  EXPECT_FALSE(Find(Op(OpCode::kAdd).Input(0, Op(OpCode::kSplit).Output(1)), *model, "sum").has_value());
  const ir::Value second{model->FindNode("parts"), 1};
  EXPECT_TRUE(MatchValue(Op(OpCode::kSplit).Output(1), *model, second, ir::PassContext()).has_value());
  EXPECT_TRUE(MatchValue(Absent(), *model, ir::Value::None(), ir::PassContext()).has_value());
  EXPECT_FALSE(MatchValue(Any(), *model, ir::Value::None(), ir::PassContext()).has_value());
}

}  // namespace
}  // namespace burin::transformations

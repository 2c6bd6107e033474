#include "ir/partial_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "ir/dimension.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {

// Lets GoogleTest print shapes.
static void PrintTo(const PartialShape& shape, std::ostream* out) { *out << shape.ToString(); }

namespace {

using ::testing::HasSubstr;

constexpr int64_t kInf = Dimension::kInfinite;

TEST(PartialShapeTest, KnowsWhatIsStatic) {
  EXPECT_TRUE(PartialShape().is_static());
  EXPECT_TRUE(PartialShape({1, 3}).is_static());
  EXPECT_FALSE(PartialShape({1, Dimension()}).is_static());
  EXPECT_FALSE(PartialShape::DynamicRank().is_static());
  EXPECT_EQ(PartialShape({1, 3}).ToShape(), (Shape{1, 3}));
  EXPECT_EQ(PartialShape(Shape{4, 5}), PartialShape({4, 5}));
  EXPECT_NE(PartialShape::DynamicRank(), PartialShape());
  EXPECT_EQ(PartialShape::OfRank(2), PartialShape({Dimension(), Dimension()}));
}

TEST(PartialShapeTest, CountsElements) {
  EXPECT_EQ(PartialShape().ElementCount(), Dimension(1));
  EXPECT_EQ(PartialShape({2, Dimension(3, 5)}).ElementCount(), Dimension(6, 10));
  EXPECT_EQ(PartialShape({Dimension(), 0}).ElementCount(), Dimension(0));
  EXPECT_EQ(PartialShape::DynamicRank().ElementCount(), Dimension());
  EXPECT_EQ(PartialShape({1, Dimension::Symbol("n")}).ElementCount(), Dimension::Symbol("n"));
  EXPECT_EQ(PartialShape({kInf, kInf}).ElementCount(), Dimension());
}

TEST(PartialShapeTest, Accepts) {
  EXPECT_TRUE(PartialShape::DynamicRank().Accepts({1, 2}));
  EXPECT_TRUE(PartialShape({Dimension(2, 4), 3}).Accepts({4, 3}));
  EXPECT_FALSE(PartialShape({Dimension(2, 4), 3}).Accepts({5, 3}));
  EXPECT_FALSE(PartialShape({Dimension(), 3}).Accepts({3}));
  EXPECT_TRUE(PartialShape().Accepts({}));
}

TEST(PartialShapeTest, MayEqual) {
  EXPECT_TRUE(PartialShape::DynamicRank().MayEqual({3}));
  EXPECT_TRUE(PartialShape({Dimension(2, 4)}).MayEqual({Dimension(4, 9)}));
  EXPECT_FALSE(PartialShape({Dimension(2, 4)}).MayEqual({5}));
  EXPECT_FALSE(PartialShape({1}).MayEqual({1, 1}));
}

TEST(PartialShapeTest, Prints) {
  EXPECT_EQ(PartialShape().ToString(), "[]");
  EXPECT_EQ(PartialShape::DynamicRank().ToString(), "[...]");
  EXPECT_EQ(PartialShape({Dimension(), 3, Dimension::Symbol("height"), Dimension(2, 8)}).ToString(),
            "[?,3,height,2..8]");
}

TEST(PartialShapeTest, ParsesTheFormsOfTheBenchmarkTool) {
  EXPECT_THAT(PartialShape::Parse("[1,3,?,-1,1..10]"),
              IsOkAndHolds(PartialShape({1, 3, Dimension(), Dimension(), Dimension(1, 10)})));
  EXPECT_THAT(PartialShape::Parse("1, 3,224 ,224"), IsOkAndHolds(PartialShape({1, 3, 224, 224})));
  EXPECT_THAT(PartialShape::Parse("..5,2..,7"), IsOkAndHolds(PartialShape({Dimension(0, 5), Dimension(2, kInf), 7})));
  EXPECT_THAT(PartialShape::Parse("[]"), IsOkAndHolds(PartialShape()));
  EXPECT_THAT(PartialShape::Parse(" [ ... ] "), IsOkAndHolds(PartialShape::DynamicRank()));
  EXPECT_THAT(PartialShape::Parse("..."), IsOkAndHolds(PartialShape::DynamicRank()));
  EXPECT_THAT(PartialShape::Parse("[n:1..4,n]"),
              IsOkAndHolds(PartialShape({Dimension(1, 4, "n"), Dimension::Symbol("n")})));
}

TEST(PartialShapeTest, RefusesMalformedTexts) {
  for (const char* text : {"",
                           " ",
                           "[",
                           "]",
                           "[1",
                           "1]",
                           "[1,]",
                           "[,1]",
                           "1,,2",
                           "[1 2]",
                           "-2",
                           "+2",
                           "--1",
                           "1...3",
                           "4..3",
                           "1..-1",
                           "1.5",
                           "0x10",
                           "9223372036854775808",
                           "n:",
                           ":3",
                           "n:m",
                           "n.1",
                           "\"n",
                           "\"\"",
                           "\"n\"x",
                           "\"\\q\"",
                           "[[1]]",
                           "[1],2",
                           "....",
                           "1..2..3",
                           "[...,3]",
                           "\"a\":",
                           "n:?",
                           "\xff"}) {
    EXPECT_THAT(PartialShape::Parse(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
  EXPECT_THAT(PartialShape::Parse("[1,x y]"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("x y")));
}

TEST(PartialShapeTest, RefusesEndlessTextsWithShortErrors) {
  std::string many = "1";
  for (int i = 0; i < 100000; ++i) many += ",1";
  EXPECT_THAT(PartialShape::Parse(many), StatusIs(absl::StatusCode::kInvalidArgument));
  const auto result = PartialShape::Parse(std::string(1 << 20, '-'));
  ASSERT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_LT(result.status().message().size(), 500u);
}

TEST(PartialShapeTest, ParseReadsWhatToStringPrints) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const int64_t bounds[] = {0, 1, 2, 7, 1000, kInf - 1, kInf};
  const std::string symbols[] = {"",    "",   "n",  "_x9", "batch size", "7",        "?",
                                 "a,b", "[]", "\"", "\\",  "\n",         "\xc3\xa9", "a:b"};
  const auto pick = [&random](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); };
  for (int round = 0; round < 5000; ++round) {
    PartialShape shape;
    const size_t rank = pick(6);
    for (size_t i = 0; i < rank; ++i) {
      const int64_t a = bounds[pick(std::size(bounds))];
      const int64_t b = pick(3) == 0 ? a : bounds[pick(std::size(bounds))];
      shape.Append(Dimension(std::min(a, b), std::max(a, b), symbols[pick(std::size(symbols))]));
    }
    ASSERT_THAT(PartialShape::Parse(shape.ToString()), IsOkAndHolds(shape)) << shape.ToString();
  }
}

TEST(PartialShapeTest, ParseSurvivesRandomTexts) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const std::string alphabet = "[]\"\\,.:?-+0129n_ x";
  std::uniform_int_distribution<size_t> letter(0, alphabet.size() - 1);
  std::uniform_int_distribution<int> length(0, 12);
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (int i = length(random); i > 0; --i) text += alphabet[letter(random)];
    const auto shape = PartialShape::Parse(text);
    if (!shape.ok()) continue;
    ASSERT_THAT(PartialShape::Parse(shape->ToString()), IsOkAndHolds(*shape)) << text;
  }
}

TEST(PartialShapeTest, Broadcasts) {
  const Dimension n = Dimension::Symbol("n");
  EXPECT_THAT(Broadcast({n, 3}, {1}), IsOkAndHolds(PartialShape({n, 3})));
  EXPECT_THAT(Broadcast({1, 3}, {n, 2, 1}), IsOkAndHolds(PartialShape({n, 2, 3})));
  EXPECT_THAT(Broadcast(PartialShape::DynamicRank(), {2}), IsOkAndHolds(PartialShape::DynamicRank()));
  EXPECT_THAT(Broadcast(PartialShape(), {n}), IsOkAndHolds(PartialShape({n})));
  EXPECT_THAT(Broadcast(PartialShape::DynamicRank(), PartialShape()), IsOkAndHolds(PartialShape::DynamicRank()));
  EXPECT_THAT(Broadcast({2, 3}, {2}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[2,3] and [2]")));
}

TEST(PartialShapeTest, Merges) {
  EXPECT_THAT(Merge({Dimension(), 3}, {4, Dimension()}), IsOkAndHolds(PartialShape({4, 3})));
  EXPECT_THAT(Merge(PartialShape::DynamicRank(), {4}), IsOkAndHolds(PartialShape({4})));
  EXPECT_THAT(Merge({4}, PartialShape::DynamicRank()), IsOkAndHolds(PartialShape({4})));
  EXPECT_THAT(Merge({Dimension(1, 5, "n")}, {Dimension(3, 9)}), IsOkAndHolds(PartialShape({Dimension(3, 5, "n")})));
  EXPECT_THAT(Merge({4}, {5}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[4] and [5]")));
  EXPECT_THAT(Merge({4}, {4, 1}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PartialShapeTest, HullCoversBoth) {
  EXPECT_EQ(Hull(PartialShape({2, 3}), PartialShape({5, 3})), PartialShape({Dimension(2, 5), 3}));
  EXPECT_EQ(Hull(PartialShape({2}), PartialShape({2, 1})), PartialShape::DynamicRank());
  EXPECT_EQ(Hull(PartialShape({2}), PartialShape::DynamicRank()), PartialShape::DynamicRank());
}

}  // namespace
}  // namespace burin::ir

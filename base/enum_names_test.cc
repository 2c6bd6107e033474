#include "base/enum_names.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {

enum class Fruit { kApple, kPear, kUnnamed };

template <>
struct EnumNames<Fruit> {
  static constexpr EnumEntry<Fruit> kEntries[] = {
      {Fruit::kApple, "apple"}, {Fruit::kPear, "pear"}, {Fruit::kPear, "pyrus"}};
};

namespace {

static_assert(EnumName(Fruit::kApple).size() == 5, "names are constants");

TEST(EnumNamesTest, NamesValues) {
  EXPECT_EQ(EnumName(Fruit::kApple), "apple");
  EXPECT_EQ(EnumName(Fruit::kPear), "pear");
  EXPECT_EQ(EnumName(Fruit::kUnnamed), "unknown");
}

TEST(EnumNamesTest, ParsesNamesAndOtherSpellings) {
  EXPECT_THAT(ParseEnum<Fruit>("apple"), IsOkAndHolds(Fruit::kApple));
  EXPECT_THAT(ParseEnum<Fruit>("pear"), IsOkAndHolds(Fruit::kPear));
  EXPECT_THAT(ParseEnum<Fruit>("pyrus"), IsOkAndHolds(Fruit::kPear));
}

TEST(EnumNamesTest, ListsTheAllowedNamesOnError) {
  EXPECT_THAT(ParseEnum<Fruit>("Apple"), StatusIs(absl::StatusCode::kInvalidArgument,
                                                  "Unknown name; allowed: apple, pear, pyrus; got: \"Apple\""));
  EXPECT_THAT(ParseEnum<Fruit>(""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ParseEnum<Fruit>("unknown"), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin

#include "runtime/plugins/reference/config.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::reference {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;

TEST(ConfigTest, CountsOnlyWhenAsked) {
  Config config;
  EXPECT_FALSE(config.perf_count);
  ASSERT_OK(config.Apply({}));
  EXPECT_FALSE(config.perf_count);
  ASSERT_OK(config.Apply({{"PERF_COUNT", "YES"}}));
  EXPECT_TRUE(config.perf_count);
  ASSERT_OK(config.Apply({}));  // What is not named stays.
  EXPECT_TRUE(config.perf_count);
  ASSERT_OK(config.Apply({{"PERF_COUNT", "NO"}}));
  EXPECT_FALSE(config.perf_count);
}

TEST(ConfigTest, RefusesUnknownAndReadOnlyNamesAndListsTheRest) {
  Config config;
  EXPECT_THAT(config.Apply({{"NUM_STREAMS", "2"}}),
              StatusIs(absl::StatusCode::kNotFound,
                       Eq("Device REFERENCE has no property NUM_STREAMS that can be set; there are: PERF_COUNT")));
  EXPECT_THAT(config.Apply({{"FULL_DEVICE_NAME", "mine"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("FULL_DEVICE_NAME")));
  EXPECT_THAT(config.Apply({{"perf_count", "YES"}}), StatusIs(absl::StatusCode::kNotFound));
}

TEST(ConfigTest, RefusesAValueThatIsNotAllowed) {
  Config config;
  EXPECT_THAT(
      config.Apply({{"PERF_COUNT", "perhaps"}}),
      StatusIs(absl::StatusCode::kInvalidArgument, Eq("Property PERF_COUNT: expected YES or NO, given \"perhaps\"")));
  EXPECT_FALSE(config.perf_count);
}

TEST(ConfigTest, AppliesAllOrNothing) {
  Config config;
  // In order of name, PERF_COUNT comes before the unknown one.
  EXPECT_THAT(config.Apply({{"PERF_COUNT", "YES"}, {"ZZZ", "1"}}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_FALSE(config.perf_count);
}

TEST(ConfigTest, SaysWhichPropertiesCanBeRead) {
  EXPECT_THAT(UnknownProperty("FOO", {"A", "B"}),
              StatusIs(absl::StatusCode::kNotFound, Eq("Unknown property FOO; those that can be read: A, B")));
}

}  // namespace
}  // namespace burin::reference

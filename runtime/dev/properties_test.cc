#include "runtime/dev/properties.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PropertiesTest, BooleanTextForms) {
  for (const char* text : {"YES", "yes", "true", "1"}) EXPECT_THAT(perf_count.Parse(text).value(), true) << text;
  for (const char* text : {"NO", "no", "False", "0"}) EXPECT_THAT(perf_count.Parse(text).value(), false) << text;
  EXPECT_EQ(perf_count(true).second, "YES");
  EXPECT_EQ(perf_count(false).second, "NO");
  EXPECT_THAT(perf_count.Parse("maybe"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("Property PERF_COUNT: expected YES or NO, given \"maybe\"")));
}

TEST(PropertiesTest, IntegersRoundTripAndRefuseAnythingElse) {
  for (int64_t value : {int64_t{0}, int64_t{-7}, std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(optimal_number_of_infer_requests.Parse(PropertyToString(value)).value(), value);
  }
  for (const char* text : {"", "1x", "9223372036854775808", "1.5"}) {
    EXPECT_THAT(optimal_number_of_infer_requests.Parse(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

TEST(PropertiesTest, ListsAreSeparatedBySpaces) {
  EXPECT_EQ(PropertyToString(std::vector<std::string>{"A", "B"}), "A B");
  EXPECT_THAT(execution_devices.Parse("A  B").value(), ElementsAre("A", "B"));
  EXPECT_THAT(execution_devices.Parse("").value(), ElementsAre());
}

}  // namespace
}  // namespace burin

#include "runtime/dev/properties.h"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

constexpr Property<double> kRate{"RATE"};

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
    EXPECT_THAT(optimal_number_of_infer_requests.Parse(text),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected an integer")))
        << text;
  }
}

TEST(PropertiesTest, NumbersRoundTripExactlyAndRefuseAnythingElse) {
  for (double value : {0.0, -1.5, 0.1, 1e300, 5e-324, 1.0 / 3}) {
    EXPECT_EQ(kRate.Parse(PropertyToString(value)).value(), value);
  }
  EXPECT_THAT(kRate(0.1), Pair("RATE", "0.1"));
  for (const char* text : {"", "1x", "nan", "inf", "-inf", "1e999", "0,5"}) {
    EXPECT_THAT(kRate.Parse(text), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected a finite number")))
        << text;
  }
}

TEST(PropertiesTest, ListsAreSeparatedBySpaces) {
  EXPECT_EQ(PropertyToString(std::vector<std::string>{"A", "B"}), "A B");
  EXPECT_THAT(execution_devices.Parse("A  B").value(), ElementsAre("A", "B"));
  EXPECT_THAT(execution_devices.Parse("").value(), ElementsAre());
}

TEST(PropertiesTest, TextIsKeptAsItIs) {
  EXPECT_THAT(full_device_name.Parse(" a b\n"), IsOkAndHolds(" a b\n"));
  EXPECT_THAT(full_device_name("x"), Pair("FULL_DEVICE_NAME", "x"));
}

TEST(PropertiesTest, EnumerationsHaveExactNames) {
  EXPECT_THAT(PropertyEnumNames<PerformanceMode>(), ElementsAre("LATENCY", "THROUGHPUT", "CUMULATIVE_THROUGHPUT"));
  EXPECT_THAT(PropertyEnumNames<DeviceType>(), ElementsAre("integrated", "discrete"));
  EXPECT_THAT(PropertyEnumNames<SchedulingCoreType>(), ElementsAre("ANY_CORE", "PCORE_ONLY", "ECORE_ONLY"));
  EXPECT_THAT(performance_hint(PerformanceMode::kThroughput), Pair("PERFORMANCE_HINT", "THROUGHPUT"));
  EXPECT_THAT(performance_hint.Parse("CUMULATIVE_THROUGHPUT"), IsOkAndHolds(PerformanceMode::kCumulativeThroughput));
  EXPECT_THAT(device_type.Parse("discrete"), IsOkAndHolds(DeviceType::kDiscrete));
  EXPECT_THAT(PropertyEnumNames<ExecutionMode>(), ElementsAre("PERFORMANCE", "ACCURACY"));
  EXPECT_THAT(execution_mode_hint.Parse("ACCURACY"), IsOkAndHolds(ExecutionMode::kAccuracy));
  EXPECT_THAT(execution_mode_hint(ExecutionMode::kPerformance), Pair("EXECUTION_MODE_HINT", "PERFORMANCE"));
  EXPECT_THAT(scheduling_core_type.Parse("PCORE_ONLY"), IsOkAndHolds(SchedulingCoreType::kPcoreOnly));
  EXPECT_THAT(scheduling_core_type(SchedulingCoreType::kEcoreOnly), Pair("SCHEDULING_CORE_TYPE", "ECORE_ONLY"));
  for (const char* text : {"", "latency", "LATENCY "}) {
    EXPECT_THAT(performance_hint.Parse(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("Property PERFORMANCE_HINT: expected LATENCY, THROUGHPUT or CUMULATIVE_THROUGHPUT")))
        << text;
  }
  EXPECT_THAT(device_type.Parse("dGPU"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Eq("Property DEVICE_TYPE: expected integrated or discrete, given \"dGPU\"")));
}

TEST(PropertiesTest, CppConvertsNothingInSilence) {
  static_assert(std::is_invocable_v<Property<bool>, bool>);
  static_assert(!std::is_invocable_v<Property<bool>, const char*>, "\"NO\" would be true");
  static_assert(!std::is_invocable_v<Property<bool>, const char(&)[3]>);
  static_assert(!std::is_invocable_v<Property<bool>, int>);
  static_assert(std::is_invocable_v<Property<int64_t>, int>);
  static_assert(!std::is_invocable_v<Property<int64_t>, double>, "2.5 would be 2");
  static_assert(std::is_invocable_v<Property<double>, int>);
  static_assert(std::is_invocable_v<Property<std::string>, const char*>);
}

TEST(PropertiesTest, MessagesShowALittleOfHostileText) {
  const std::string text = "\x01" + std::string(1 << 20, 'x');
  const absl::Status status = perf_count.Parse(text).status();
  EXPECT_LT(status.message().size(), 200u);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("given \"\\001xxx")));
  const absl::Status unknown = NoSuchProperty("Device X", text, "set", {});
  EXPECT_LT(unknown.message().size(), 200u);
  EXPECT_THAT(unknown, StatusIs(absl::StatusCode::kNotFound, Not(HasSubstr("\x01"))));
}

TEST(PropertiesTest, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THAT(
      NoSuchProperty("Device X", "FOO", "read", {"A", "B"}),
      StatusIs(absl::StatusCode::kNotFound, Eq("Device X has no property FOO that can be read; there are: A, B")));
  EXPECT_THAT(
      NoSuchProperty("Device X", "FOO", "set", {}),
      StatusIs(absl::StatusCode::kNotFound, Eq("Device X has no property FOO that can be set; there are none")));
}

}  // namespace
}  // namespace burin

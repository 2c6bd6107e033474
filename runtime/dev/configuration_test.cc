#include "runtime/dev/configuration.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/device_configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// One row of each scope that a device has, a core one, and two of other types, in no order.
std::vector<PropertyInfo> Rows() {
  std::vector<PropertyInfo> rows;
  for (const char* name : {"PERF_COUNT", "AUTO_BATCH_TIMEOUT", "PERFORMANCE_HINT", "FULL_DEVICE_NAME", "NETWORK_NAME",
                           "SUPPORTED_PROPERTIES", "ENABLE_MMAP"}) {
    rows.push_back(*FindProperty(name));
  }
  return rows;
}

class ConfigurationTest : public ::testing::Test {
 protected:
  Configuration configuration_{"Device X", Rows()};
};

TEST_F(ConfigurationTest, StartsWithTheDefaults) {
  EXPECT_FALSE(configuration_.Value(perf_count));
  EXPECT_EQ(configuration_.Value(auto_batch_timeout), 1000);
  EXPECT_EQ(configuration_.Value(performance_hint), PerformanceMode::kLatency);
  EXPECT_THAT(configuration_.Get("PERF_COUNT"), IsOkAndHolds("NO"));
  EXPECT_FALSE(configuration_.IsSet("PERF_COUNT"));
  EXPECT_THAT(configuration_.given(), IsEmpty());
}

TEST_F(ConfigurationTest, KeepsWhatWasGivenInCanonicalText) {
  ASSERT_OK(configuration_.Apply({{"PERF_COUNT", "true"}}));
  EXPECT_TRUE(configuration_.Value(perf_count));
  EXPECT_THAT(configuration_.Get("PERF_COUNT"), IsOkAndHolds("YES"));
  EXPECT_TRUE(configuration_.IsSet("PERF_COUNT"));
  EXPECT_FALSE(configuration_.IsSet("PERFORMANCE_HINT"));
  ASSERT_OK(configuration_.Apply({{"PERFORMANCE_HINT", "LATENCY"}}));  // What is not named stays.
  EXPECT_TRUE(configuration_.Value(perf_count));
  EXPECT_TRUE(configuration_.IsSet("PERFORMANCE_HINT")) << "the default, but given";
  ASSERT_OK(configuration_.Apply({{"PERF_COUNT", "NO"}}));
  EXPECT_FALSE(configuration_.Value(perf_count));
  EXPECT_THAT(configuration_.given(), ElementsAre(Pair("PERFORMANCE_HINT", "LATENCY"), Pair("PERF_COUNT", "NO")));
}

TEST_F(ConfigurationTest, CopiesAreIndependent) {
  Configuration copy = configuration_;
  ASSERT_OK(copy.Apply({perf_count(true)}));
  EXPECT_TRUE(copy.Value(perf_count));
  EXPECT_FALSE(configuration_.Value(perf_count));
}

TEST_F(ConfigurationTest, RefusesUnknownAndReadOnlyNamesAndListsTheRest) {
  const char* const list = "that can be set; there are: AUTO_BATCH_TIMEOUT, ENABLE_MMAP, PERFORMANCE_HINT, PERF_COUNT";
  for (const char* name :
       {"NUM_STREAMS", "FULL_DEVICE_NAME", "NETWORK_NAME", "SUPPORTED_PROPERTIES", "perf_count", "", "DEVICE_ID"}) {
    const std::string message = std::string("Device X has no property ") + name + " " + list;
    EXPECT_THAT(configuration_.Apply({{name, "YES"}}), StatusIs(absl::StatusCode::kNotFound, Eq(message)));
    EXPECT_THAT(configuration_.Get(name), StatusIs(absl::StatusCode::kNotFound, Eq(message)));
  }
}

TEST_F(ConfigurationTest, RefusesAValueThatIsNotAllowed) {
  EXPECT_THAT(
      configuration_.Apply({{"PERF_COUNT", "perhaps"}}),
      StatusIs(absl::StatusCode::kInvalidArgument, Eq("Property PERF_COUNT: expected YES or NO, given \"perhaps\"")));
  EXPECT_THAT(configuration_.Apply({auto_batch_timeout(-1)}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Eq("Property AUTO_BATCH_TIMEOUT: expected an integer from 0 to 3600000, given \"-1\"")));
  EXPECT_THAT(configuration_.given(), IsEmpty());
}

TEST_F(ConfigurationTest, AppliesAllOrNothing) {
  ASSERT_OK(configuration_.Apply({auto_batch_timeout(5)}));
  // In order of name, good ones come before and after the bad one.
  EXPECT_FALSE(configuration_.Apply({{"AUTO_BATCH_TIMEOUT", "7"}, {"PERF_COUNT", "YES"}, {"ZZZ", "1"}}).ok());
  EXPECT_FALSE(configuration_.Apply({{"AUTO_BATCH_TIMEOUT", "x"}, {"PERF_COUNT", "YES"}}).ok());
  EXPECT_THAT(configuration_.given(), ElementsAre(Pair("AUTO_BATCH_TIMEOUT", "5")));
}

TEST_F(ConfigurationTest, SupportedSaysWhatIsSeenFromWhere) {
  EXPECT_THAT(configuration_.Supported(PropertyScope::kDevice),
              ElementsAre("AUTO_BATCH_TIMEOUT:RW", "FULL_DEVICE_NAME:RO", "PERFORMANCE_HINT:RW", "PERF_COUNT:RW",
                          "SUPPORTED_PROPERTIES:RO"));
  EXPECT_THAT(configuration_.Supported(PropertyScope::kModel),
              ElementsAre("AUTO_BATCH_TIMEOUT:RO", "NETWORK_NAME:RO", "PERFORMANCE_HINT:RO", "PERF_COUNT:RO",
                          "SUPPORTED_PROPERTIES:RO"));
  EXPECT_THAT(configuration_.Supported(PropertyScope::kCore), ElementsAre("ENABLE_MMAP:RW"));
}

TEST_F(ConfigurationTest, ReadAnswersEverythingThatIsSupported) {
  const PropertyMap facts = {{"FULL_DEVICE_NAME", "a device"}, {"NETWORK_NAME", "a model"}};
  ASSERT_OK(configuration_.Apply({perf_count(true)}));
  for (PropertyScope scope : {PropertyScope::kCore, PropertyScope::kDevice, PropertyScope::kModel}) {
    for (const std::string& entry : configuration_.Supported(scope)) {
      EXPECT_OK(configuration_.Read(scope, entry.substr(0, entry.find(':')), facts)) << entry;
    }
  }
  EXPECT_THAT(configuration_.Read(PropertyScope::kDevice, "FULL_DEVICE_NAME", facts), IsOkAndHolds("a device"));
  EXPECT_THAT(configuration_.Read(PropertyScope::kModel, "NETWORK_NAME", facts), IsOkAndHolds("a model"));
  EXPECT_THAT(configuration_.Read(PropertyScope::kModel, "PERF_COUNT", facts), IsOkAndHolds("YES"));
  EXPECT_THAT(configuration_.Read(PropertyScope::kModel, "SUPPORTED_PROPERTIES", facts),
              IsOkAndHolds("AUTO_BATCH_TIMEOUT:RO NETWORK_NAME:RO PERFORMANCE_HINT:RO PERF_COUNT:RO "
                           "SUPPORTED_PROPERTIES:RO"));
}

TEST_F(ConfigurationTest, ReadRefusesWhatIsNotSeenFromThere) {
  const PropertyMap facts = {{"FULL_DEVICE_NAME", "a device"}, {"NETWORK_NAME", "a model"}, {"SECRET", "1"}};
  EXPECT_THAT(configuration_.Read(PropertyScope::kDevice, "NETWORK_NAME", facts),
              StatusIs(absl::StatusCode::kNotFound,
                       Eq("Device X has no property NETWORK_NAME that can be read; there are: AUTO_BATCH_TIMEOUT, "
                          "FULL_DEVICE_NAME, PERFORMANCE_HINT, PERF_COUNT, SUPPORTED_PROPERTIES")));
  EXPECT_THAT(configuration_.Read(PropertyScope::kModel, "FULL_DEVICE_NAME", facts),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("Device X's compiled model has no property FULL_DEVICE_NAME that can be read")));
  EXPECT_THAT(configuration_.Read(PropertyScope::kDevice, "ENABLE_MMAP", facts), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(configuration_.Read(PropertyScope::kDevice, "SECRET", facts), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(configuration_.Read(PropertyScope::kDevice, "FULL_DEVICE_NAME", {}),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("FULL_DEVICE_NAME")));
}

absl::Status CheckZero(const std::string& name, const std::string& text) {
  return text == "0" ? absl::OkStatus() : BadPropertyValue(name, text, "0");
}

TEST(ConfigurationRowsTest, ADeviceCanNarrowARow) {
  PropertyInfo row = *FindProperty("DEVICE_ID");
  row.allowed = "0";
  row.check = &CheckZero;
  Configuration configuration("Device X", absl::MakeConstSpan(&row, 1));
  EXPECT_OK(configuration.Apply({device_id("0")}));
  EXPECT_THAT(configuration.Apply({device_id("1")}),
              StatusIs(absl::StatusCode::kInvalidArgument, Eq("Property DEVICE_ID: expected 0, given \"1\"")));
  EXPECT_EQ(configuration.Value(device_id), "0");
}

TEST(ConfigurationRowsTest, ADeviceWithoutPropertiesSaysSo) {
  Configuration configuration("Device X", {});
  EXPECT_OK(configuration.Apply({}));
  EXPECT_THAT(configuration.Apply({perf_count(true)}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("that can be set; there are none")));
  EXPECT_THAT(configuration.Supported(PropertyScope::kDevice), IsEmpty());
}

TEST(DeviceConfigurationTest, ACompilationGoesBeforeTheDefaultsAndLeavesThemAlone) {
  DeviceConfiguration device(Configuration("Device X", Rows()), {full_device_name("X")});
  ASSERT_OK(device.Apply({auto_batch_timeout(int64_t{5})}));
  ASSERT_OK_AND_ASSIGN(const Configuration compilation, device.With({perf_count(true)}));
  EXPECT_TRUE(compilation.Value(perf_count));
  EXPECT_EQ(compilation.Value(auto_batch_timeout), 5);
  EXPECT_THAT(device.Read("PERF_COUNT"), IsOkAndHolds("NO"));
  EXPECT_THAT(device.Read("FULL_DEVICE_NAME"), IsOkAndHolds("X"));
  EXPECT_THAT(device.With({{"NO_SUCH", "1"}}), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace burin

#include "runtime/plugins/reference/config.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin::reference {
namespace {

using ::testing::Eq;

TEST(ConfigTest, TakesTheTablesPropertiesOfThisDevice) {
  Configuration configuration = DefaultConfiguration("OTHER");
  EXPECT_THAT(configuration.Apply({{"NUM_STREAMS", "2"}}),
              StatusIs(absl::StatusCode::kNotFound,
                       Eq("Device OTHER has no property NUM_STREAMS that can be set; there are: DEVICE_ID, "
                          "PERF_COUNT")));
  EXPECT_FALSE(configuration.Value(perf_count));
  EXPECT_EQ(configuration.Value(device_id), "");
}

TEST(ConfigTest, ThereIsOneInstance) {
  Configuration configuration = DefaultConfiguration("REFERENCE");
  EXPECT_OK(configuration.Apply({device_id("0")}));
  EXPECT_EQ(configuration.Value(device_id), "0");
  EXPECT_OK(configuration.Apply({device_id("")}));
  for (const char* text : {"1", "00", "-1", " "}) {
    EXPECT_THAT(configuration.Apply({device_id(text)}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         Eq(std::string("Property DEVICE_ID: expected 0 or nothing, given \"") + text + "\"")));
  }
  EXPECT_EQ(configuration.Value(device_id), "");
}

TEST(ConfigTest, FactsAreTheReadOnlyRowsAndOfTheirTypes) {
  const PropertyMap device = DeviceFacts("OTHER");
  const PropertyMap model = ModelFacts("OTHER", "net");
  for (const PropertyInfo& row : PropertiesReadBy("REFERENCE")) {
    SCOPED_TRACE(row.name);
    const bool both = row.scope == PropertyScope::kDeviceAndModel;
    const bool answered = std::string(row.name) != supported_properties.name;  // Configuration answers it.
    EXPECT_EQ(device.count(row.name) != 0, answered && (both || row.scope == PropertyScope::kDevice));
    EXPECT_EQ(model.count(row.name) != 0, answered && (both || row.scope == PropertyScope::kModel));
  }
  for (const PropertyMap& facts : {device, model}) {
    for (const auto& [name, text] : facts) {
      const PropertyInfo* const row = FindProperty(name);
      ASSERT_NE(row, nullptr) << name;
      EXPECT_OK(row->check(name, text));
      EXPECT_EQ(row->canonical(text), text) << name;
    }
  }
  EXPECT_EQ(device.at("EXECUTION_DEVICES"), "OTHER");
  EXPECT_EQ(model.at("EXECUTION_DEVICES"), "OTHER");
  EXPECT_EQ(model.at("NETWORK_NAME"), "net");
}

}  // namespace
}  // namespace burin::reference

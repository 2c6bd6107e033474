#include "runtime/dev/instance/one_instance.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;

TEST(OneInstanceTest, ThereIsOneInstance) {
  Configuration configuration = OneInstanceConfiguration("OTHER", OneInstanceRows("REFERENCE"));
  EXPECT_OK(configuration.Apply({device_id("0")}));
  EXPECT_EQ(configuration.Value(device_id), "0");
  EXPECT_OK(configuration.Apply({device_id("")}));
  for (const char* text : {"1", "00", "-1", " "}) {
    EXPECT_THAT(configuration.Apply({device_id(text)}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         Eq(std::string("Property DEVICE_ID: expected 0 or nothing, given \"") + text + "\"")));
  }
  EXPECT_EQ(configuration.Value(device_id), "");
  EXPECT_THAT(configuration.Apply({{"NUM_STREAMS", "2"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("Device OTHER has no property NUM_STREAMS")));
}

TEST(OneInstanceTest, ContextsHaveTheInstanceAlone) {
  Configuration configuration = OneInstanceContextConfiguration("OTHER", OneInstanceRows("REFERENCE"));
  EXPECT_OK(configuration.Apply({device_id("0")}));
  EXPECT_THAT(configuration.Apply({perf_count(true)}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("A context of OTHER")));
}

TEST(OneInstanceTest, FactsAreOfTheTableAndOfTheirTypes) {
  for (const auto& [name, text] : OneInstanceFacts("OTHER")) {
    const PropertyInfo* const row = FindProperty(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_FALSE(row->settable()) << name;
    EXPECT_OK(row->check(name, text));
  }
  EXPECT_EQ(OneInstanceFacts("OTHER").at("EXECUTION_DEVICES"), "OTHER");
}

}  // namespace
}  // namespace burin

#include "runtime/plugins/cpu/config.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::AllOf;
using ::testing::Eq;
using ::testing::HasSubstr;

TEST(ConfigTest, TakesWhatConcernsStreams) {
  Configuration configuration = DefaultConfiguration("CPU");
  ASSERT_OK(configuration.Apply({{"NUM_STREAMS", "2"},
                                 {"INFERENCE_NUM_THREADS", "4"},
                                 {"PERFORMANCE_HINT", "THROUGHPUT"},
                                 {"PERFORMANCE_HINT_NUM_REQUESTS", "3"},
                                 {"ENABLE_CPU_PINNING", "YES"}}));
  EXPECT_EQ(configuration.Value(num_streams), "2");
  EXPECT_EQ(configuration.Value(inference_num_threads), 4);
  EXPECT_EQ(configuration.Value(performance_hint), PerformanceMode::kThroughput);
  EXPECT_EQ(configuration.Value(performance_hint_num_requests), 3);
  EXPECT_TRUE(configuration.Value(enable_cpu_pinning));
  EXPECT_THAT(configuration.Apply({{"CACHE_DIR", "x"}}),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("Device CPU has no property CACHE_DIR"), HasSubstr("NUM_STREAMS"))));
}

TEST(ConfigTest, ComputesInF32Alone) {
  Configuration configuration = DefaultConfiguration("CPU");
  EXPECT_EQ(configuration.Value(inference_precision_hint), "f32");
  EXPECT_OK(configuration.Apply({inference_precision_hint("f32")}));
  for (const char* text : {"bf16", "f16", "F32", "", "int8"}) {
    EXPECT_THAT(configuration.Apply({inference_precision_hint(text)}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("INFERENCE_PRECISION_HINT"), HasSubstr("expected f32"), HasSubstr(text))));
  }
}

TEST(ConfigTest, ThereIsOneInstance) {
  Configuration configuration = DefaultConfiguration("CPU");
  EXPECT_OK(configuration.Apply({device_id("0")}));
  EXPECT_EQ(configuration.Value(device_id), "0");
  EXPECT_OK(configuration.Apply({device_id("")}));
  EXPECT_THAT(
      configuration.Apply({device_id("1")}),
      StatusIs(absl::StatusCode::kInvalidArgument, Eq("Property DEVICE_ID: expected 0 or nothing, given \"1\"")));
}

TEST(ConfigTest, ContextsHaveTheInstanceAlone) {
  Configuration configuration = ContextConfiguration("CPU");
  EXPECT_OK(configuration.Apply({device_id("0")}));
  EXPECT_THAT(configuration.Apply({{"NUM_STREAMS", "2"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("A context of CPU")));
}

TEST(ConfigTest, FactsAreTheReadOnlyRowsAndOfTheirTypes) {
  const PropertyMap device = DeviceFacts("OTHER");
  const PropertyMap model = ModelFacts("OTHER", "net", 3);
  for (const PropertyInfo& row : PropertiesReadBy("CPU")) {
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
  EXPECT_EQ(model.at("NETWORK_NAME"), "net");
  EXPECT_EQ(model.at("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), "3");
}

}  // namespace
}  // namespace burin::cpu

#include "tools/benchmark/device_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "runtime/api/properties.h"
#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DeviceSetupTest, TheDeviceIsFoundWithWhatItSupports) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const FoundDevices found, FindDevices(core, "REFERENCE"));
  EXPECT_EQ(found.facts.name, "REFERENCE");
  EXPECT_THAT(found.facts.devices, ElementsAre("REFERENCE"));
  EXPECT_THAT(found.facts.supported, Contains(HasSubstr("PERF_COUNT")));
  EXPECT_EQ(found.versions.count("REFERENCE"), 1u);
  EXPECT_THAT(FindDevices(core, "ABACUS"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("ABACUS")));
}

TEST(DeviceSetupTest, AFileAndOptionsAreSet) {
  const std::string path = ::testing::TempDir() + "/config.json";
  ASSERT_OK(WriteFileAtomically(path, "{\"REFERENCE\": {\"PERF_COUNT\": \"YES\"}}"));
  Core core;
  ASSERT_OK_AND_ASSIGN(const FoundDevices found, FindDevices(core, "REFERENCE"));
  Settings settings;
  settings.device = "REFERENCE";
  settings.load_config = path;
  ASSERT_OK_AND_ASSIGN(const ChosenConfig chosen, ReadConfig(settings, found.facts));
  ASSERT_OK_AND_ASSIGN(const PropertyMap rest, ApplyConfig(settings, found.facts, chosen.config, &core));
  EXPECT_TRUE(rest.empty());
  ASSERT_OK_AND_ASSIGN(const bool counts, core.GetProperty("REFERENCE", perf_count));
  EXPECT_TRUE(counts);
}

TEST(DeviceSetupTest, ABrokenFileIsNamed) {
  const std::string path = ::testing::TempDir() + "/broken.json";
  ASSERT_OK(WriteFileAtomically(path, "PERF_COUNT"));
  Settings settings;
  settings.load_config = path;
  EXPECT_THAT(ReadConfig(settings, DeviceFacts()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(path)));
}

}  // namespace
}  // namespace burin::benchmark

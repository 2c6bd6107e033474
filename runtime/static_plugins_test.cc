#include "runtime/core/static_plugins.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/core.h"
#include "runtime/dev/plugin.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const StaticPlugin& plugin : StaticPlugins()) names.push_back(plugin.device_name);
  return names;
}

TEST(StaticPluginsTest, AreInOrderOfPreference) { EXPECT_THAT(Names(), ElementsAre("CPU", "REFERENCE")); }

TEST(StaticPluginsTest, EachStartsUnderItsOwnName) {
  for (const StaticPlugin& entry : StaticPlugins()) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Plugin> plugin, entry.create(entry.device_name));
    EXPECT_EQ(plugin->device_name(), entry.device_name);
  }
}

TEST(StaticPluginsTest, AreTheDevicesOfACoreWhichPrefersTheFirst) {
  Core core;
  EXPECT_EQ(core.GetAvailableDevices(), Names());
  EXPECT_EQ(core.GetVersions("").value().begin()->first, Names().front());
}

}  // namespace
}  // namespace burin

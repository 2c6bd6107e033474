#include "runtime/core/plugin_registry.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/version.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EmptyPlugin final : public Plugin {
 public:
  using Plugin::Plugin;
  Version GetVersion() const override { return BuildVersion("test"); }
  absl::Status SetProperties(const PropertyMap&) override { return absl::OkStatus(); }
  absl::StatusOr<std::string> GetProperty(const std::string&) const override { return std::string(); }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model&, const PropertyMap&, bool) override { return Compilation{}; }
};

std::atomic<int> created{0};

absl::StatusOr<std::unique_ptr<Plugin>> CreateEmpty(const std::string& device_name) {
  ++created;
  return std::make_unique<EmptyPlugin>(device_name);
}

absl::StatusOr<std::unique_ptr<Plugin>> CreateBroken(const std::string&) {
  return absl::UnimplementedError("needs AVX2");
}

TEST(PluginRegistryTest, CreatesLazilyAndOnce) {
  PluginRegistry registry;
  created = 0;
  ASSERT_OK(registry.Register({"A", &CreateEmpty}));
  EXPECT_EQ(created, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_OK(registry.Get("A").status()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(registry.Get("A").value(), registry.Get("A").value());
}

TEST(PluginRegistryTest, RefusesBadAndDuplicateNames) {
  PluginRegistry registry;
  ASSERT_OK(registry.Register({"A", &CreateEmpty}));
  EXPECT_THAT(registry.Register({"A", &CreateEmpty}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("registered already: A")));
  EXPECT_THAT(registry.Register({"A.0", &CreateEmpty}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(registry.Register({"", &CreateEmpty}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(registry.DeviceNames(), ElementsAre("A"));
}

TEST(PluginRegistryTest, UnknownAndBrokenDevicesSayWhy) {
  PluginRegistry registry;
  EXPECT_THAT(registry.Get("X").status(), StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: none")));
  ASSERT_OK(registry.Register({"A", &CreateEmpty}));
  ASSERT_OK(registry.Register({"B", &CreateBroken}));
  EXPECT_THAT(registry.Get("X").status(), StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: A, B")));
  EXPECT_THAT(registry.Get("B").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Device B could not be created: needs AVX2")));
}

}  // namespace
}  // namespace burin

#include "runtime/core/plugin_registry.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
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

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Print(const PropertyMap& properties) { return absl::StrJoin(properties, ",", absl::PairFormatter("=")); }

// What happened to the plugins of a device, in order. Survives them.
struct Log {
  std::mutex mutex;
  std::map<std::string, std::vector<std::string>> calls;  // Guarded by mutex.

  void Add(const std::string& device, const std::string& call) {
    std::lock_guard<std::mutex> lock(mutex);
    calls[device].push_back(call);
  }
  std::vector<std::string> Take(const std::string& device) {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(calls[device], {});
  }
};

Log& TheLog() {
  static Log* const log = new Log;
  return *log;
}

// Has the properties A, B and DEVICE_ID, each with any value but "bad"; logs what is set.
class LoggingPlugin final : public Plugin {
 public:
  explicit LoggingPlugin(const std::string& device_name) : Plugin(device_name) { TheLog().Add(device_name, "created"); }
  ~LoggingPlugin() override { TheLog().Add(device_name(), "destroyed"); }

  Version GetVersion() const override { return BuildVersion("test"); }
  absl::Status SetProperties(const PropertyMap& properties) override {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [name, value] : properties) {
      if (values_.count(name) == 0) return absl::NotFoundError(absl::StrCat("Unknown property ", name));
      if (value == "bad") return absl::InvalidArgumentError(absl::StrCat("Bad value of ", name));
    }
    for (const auto& [name, value] : properties) values_[name] = value;
    TheLog().Add(device_name(), Print(properties));
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (name == "SUPPORTED_PROPERTIES") return std::string("A:RW B:RW DEVICE_ID:RW FACT:RO");
    const auto found = values_.find(name);
    if (found == values_.end()) return absl::NotFoundError(absl::StrCat("Unknown property ", name));
    return found->second;
  }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model&, const PropertyMap&, bool) override { return Compilation{}; }

 private:
  mutable std::mutex mutex_;
  PropertyMap values_ = {{"A", "0"}, {"B", "0"}, {"DEVICE_ID", ""}};  // Guarded by mutex_.
};

absl::StatusOr<std::unique_ptr<Plugin>> CreateLogging(const std::string& device_name) {
  return std::make_unique<LoggingPlugin>(device_name);
}

absl::StatusOr<std::unique_ptr<Plugin>> CreateBroken(const std::string&) {
  return absl::UnimplementedError("needs AVX2");
}

std::atomic<int> attempts{0};
absl::StatusOr<std::unique_ptr<Plugin>> CreateAtThirdAttempt(const std::string& device_name) {
  if (++attempts < 3) return absl::UnavailableError(absl::StrCat("attempt ", attempts.load()));
  return std::make_unique<LoggingPlugin>(device_name);
}

absl::StatusOr<std::unique_ptr<Plugin>> CreateNothing(const std::string&) { return std::unique_ptr<Plugin>(); }

absl::StatusOr<std::unique_ptr<Plugin>> CreateUnderAnotherName(const std::string&) {
  return std::make_unique<LoggingPlugin>("OTHER");
}

PluginDescription Linked(const std::string& name, CreatePluginFunction create = &CreateLogging) {
  PluginDescription description;
  description.device_name = name;
  description.create = create;
  description.source = "linked in";
  return description;
}

PluginDescription FromLibrary(const std::string& name, const std::string& library, const PropertyMap& defaults = {}) {
  PluginDescription description;
  description.device_name = name;
  description.library = library;
  description.defaults = defaults;
  description.source = "/etc/plugins.xml";
  return description;
}

constexpr char kGood[] = "runtime/core/test_plugins/libgood_plugin.so";
constexpr char kFalseAbi[] = "runtime/core/test_plugins/libfalse_abi_plugin.so";

class PluginRegistryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::lock_guard<std::mutex> lock(TheLog().mutex);
    TheLog().calls.clear();
  }
  absl::Status Register(std::vector<PluginDescription> plugins) {
    return registry_.RegisterPluginsInRegistry(std::move(plugins));
  }

  PluginRegistry registry_;
};

TEST_F(PluginRegistryTest, CreatesLazilyAndOnce) {
  ASSERT_OK(Register({Linked("A")}));
  EXPECT_THAT(TheLog().Take("A"), IsEmpty());
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([this] { EXPECT_OK(registry_.Get("A").status()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(TheLog().Take("A"), ElementsAre("created"));
  EXPECT_EQ(registry_.Get("A").value(), registry_.Get("A").value());
}

TEST_F(PluginRegistryTest, TheCompiledInTableIsAListOfDescriptions) {
  const std::vector<PluginDescription> plugins = Describe({{"B", &CreateLogging}, {"A", &CreateBroken}});
  ASSERT_OK(Register(plugins));
  EXPECT_THAT(registry_.DeviceNames(), ElementsAre("B", "A"));
  EXPECT_OK(registry_.Get("B").status());
  EXPECT_THAT(registry_.Get("A").status(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(PluginRegistryTest, RegistersAllOrNone) {
  ASSERT_OK(Register({Linked("A")}));
  EXPECT_THAT(
      Register({Linked("B"), FromLibrary("A", kGood)}),
      StatusIs(absl::StatusCode::kInvalidArgument, Eq("Device is registered already: \"A\" (/etc/plugins.xml)")));
  EXPECT_THAT(Register({Linked("B"), Linked("C"), Linked("B")}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("named twice: \"B\"")));
  for (const std::string name : {"", "A.0", "A:B", "A,B", "A(", "A)", "-A", "A B", "A\n", "\x80"}) {
    EXPECT_THAT(Register({Linked("B"), Linked(name)}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("linked in: ")))
        << name;
  }
  PluginDescription neither = Linked("N", nullptr);
  EXPECT_THAT(Register({Linked("B"), neither}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"N\"")));
  PluginDescription both = Linked("N");
  both.library = kGood;
  EXPECT_THAT(Register({Linked("B"), both}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"N\"")));
  EXPECT_THAT(registry_.DeviceNames(), ElementsAre("A"));
  EXPECT_TRUE(registry_.IsRegistered("A"));
  EXPECT_FALSE(registry_.IsRegistered("B"));
}

TEST_F(PluginRegistryTest, UnknownAndBrokenDevicesSayWhy) {
  EXPECT_THAT(registry_.Get("X").status(), StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: none")));
  ASSERT_OK(Register(
      {Linked("A"), Linked("B", &CreateBroken), Linked("N", &CreateNothing), Linked("O", &CreateUnderAnotherName)}));
  EXPECT_THAT(registry_.Get("X").status(),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("\"X\""), HasSubstr("there are: A, B, N, O"))));
  EXPECT_THAT(registry_.Get("B").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Device B could not be created: needs AVX2")));
  EXPECT_THAT(registry_.Get("N").status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("neither a plugin nor an error")));
  EXPECT_THAT(registry_.Get("O").status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("calls itself by another name: \"OTHER\"")));
}

TEST_F(PluginRegistryTest, AFailedCreationIsTriedAgain) {
  attempts = 0;
  ASSERT_OK(Register({Linked("A", &CreateAtThirdAttempt)}));
  EXPECT_THAT(registry_.Get("A").status(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("attempt 1")));
  EXPECT_THAT(registry_.SetProperties("A", {{"A", "1"}}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("attempt 2")));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<Plugin> plugin, registry_.Get("A"));
  EXPECT_THAT(plugin->GetProperty("A"), IsOkAndHolds("0"));  // What could not be set is not remembered.
}

TEST_F(PluginRegistryTest, LibrariesAndLinkedPluginsAreAlike) {
  ASSERT_OK(Register({FromLibrary("LIB", kGood, {{"LEVEL", "7"}}), Linked("A")}));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<Plugin> plugin, registry_.Get("LIB"));
  EXPECT_EQ(plugin->device_name(), "LIB");
  EXPECT_THAT(plugin->GetProperty("LEVEL"), IsOkAndHolds("7"));
  EXPECT_EQ(registry_.Get("LIB").value(), plugin);
  EXPECT_OK(registry_.Unload("LIB"));
  EXPECT_THAT(plugin->GetProperty("LEVEL"), IsOkAndHolds("7"));
}

TEST_F(PluginRegistryTest, AFailingLibrarySaysWhichDeviceWhichLibraryAndWhy) {
  ASSERT_OK(Register({FromLibrary("LIB", kFalseAbi), FromLibrary("NONE", "/no/such.so")}));
  EXPECT_THAT(registry_.Get("LIB").status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("Device LIB could not be created"), HasSubstr(kFalseAbi), HasSubstr("ABI"))));
  EXPECT_THAT(registry_.Get("NONE").status(),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("Device NONE"), HasSubstr("/no/such.so"))));
}

TEST_F(PluginRegistryTest, ALibraryThatAppearsLaterIsFound) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/libregistry_later.so");
  ASSERT_OK(Register({FromLibrary("LIB", path)}));
  EXPECT_THAT(registry_.Get("LIB").status(), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK_AND_ASSIGN(const std::string bytes, ReadFile(kGood));
  ASSERT_OK(WriteFileAtomically(path, bytes));
  EXPECT_OK(registry_.Get("LIB").status());
}

TEST_F(PluginRegistryTest, OneLibraryServesTwoDevicesAndTwoRegistries) {
  ASSERT_OK(Register({FromLibrary("L1", kGood), FromLibrary("L2", kGood)}));
  PluginRegistry other;
  ASSERT_OK(other.RegisterPluginsInRegistry({FromLibrary("L1", kGood)}));
  ASSERT_OK(registry_.SetProperties("L1", {{"LEVEL", "1"}}));
  EXPECT_THAT(registry_.Get("L2").value()->GetProperty("LEVEL"), IsOkAndHolds("0"));
  EXPECT_THAT(other.Get("L1").value()->GetProperty("LEVEL"), IsOkAndHolds("0"));
}

TEST_F(PluginRegistryTest, ABadDefaultIsAnErrorAtFirstUseThatNamesItsSource) {
  PluginDescription description = Linked("A");
  description.defaults = {{"A", "bad"}};
  description.source = "/etc/plugins.xml";
  ASSERT_OK(Register({description, FromLibrary("LIB", kGood, {{"SPEED", "1"}})}));
  const std::string expected = "Device A could not be created: default properties of /etc/plugins.xml: Bad value of A";
  EXPECT_THAT(registry_.Get("A").status(), StatusIs(absl::StatusCode::kInvalidArgument, Eq(expected)));
  EXPECT_THAT(registry_.SetProperties("A", {{"A", "1"}}), StatusIs(absl::StatusCode::kInvalidArgument, Eq(expected)));
  EXPECT_THAT(registry_.Get("LIB").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/etc/plugins.xml: Unknown property: SPEED")));
}

TEST_F(PluginRegistryTest, SettingCreatesThePluginAndValidates) {
  ASSERT_OK(Register({Linked("A")}));
  ASSERT_OK(registry_.SetProperties("A", {{"A", "1"}}));
  EXPECT_THAT(TheLog().Take("A"), ElementsAre("created", "A=1"));
  EXPECT_THAT(registry_.SetProperties("A", {{"A", "2"}, {"C", "1"}}),
              StatusIs(absl::StatusCode::kNotFound, Eq("Unknown property C")));
  EXPECT_THAT(registry_.SetProperties("A", {{"A", "2"}, {"B", "bad"}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(registry_.SetProperties("X", {}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(registry_.Get("A").value()->GetProperty("A"), IsOkAndHolds("1"));
}

TEST_F(PluginRegistryTest, AnIdAddsDeviceId) {
  ASSERT_OK(Register({Linked("A")}));
  ASSERT_OK(registry_.SetProperties("A.1", {{"A", "1"}}));
  EXPECT_THAT(TheLog().Take("A"), ElementsAre("created", "A=1,DEVICE_ID=1"));
  EXPECT_THAT(registry_.SetProperties("A.", {{"A", "1"}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(registry_.SetProperties("A.1", {{"DEVICE_ID", "1"}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(registry_.SetProperties("X.1", {{"A", "1"}}), StatusIs(absl::StatusCode::kNotFound));
  // What is set for the device does not take the place of what is set for its instance.
  TheLog().Take("A");
  ASSERT_OK(registry_.SetProperties("A", {{"A", "2"}}));
  EXPECT_THAT(TheLog().Take("A"), ElementsAre("A=2", "A=1,DEVICE_ID=1"));
}

TEST_F(PluginRegistryTest, ConfigurationIsReplayedInOrderOfPrecedence) {
  PluginDescription description = Linked("A");
  description.defaults = {{"A", "default"}, {"B", "default"}};
  ASSERT_OK(Register({description}));
  ASSERT_OK(registry_.SetProperties("A", {{"A", "device"}}));
  ASSERT_OK(registry_.SetProperties("A.0", {{"B", "instance"}}));
  ASSERT_OK(registry_.SetPropertiesOfAll({{"A", "all"}, {"B", "all"}}));
  TheLog().Take("A");
  ASSERT_OK(registry_.Unload("A"));
  EXPECT_THAT(TheLog().Take("A"), ElementsAre("destroyed"));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<Plugin> plugin, registry_.Get("A"));
  EXPECT_THAT(TheLog().Take("A"),
              ElementsAre("created", "A=default,B=default", "B=all", "A=device", "B=instance,DEVICE_ID=0"));
  EXPECT_THAT(plugin->GetProperty("A"), IsOkAndHolds("device"));
}

TEST_F(PluginRegistryTest, AllDevicesThatHaveAPropertyGetIt) {
  ASSERT_OK(Register({Linked("A"), FromLibrary("LIB", kGood), Linked("BROKEN", &CreateBroken), Linked("OWN")}));
  ASSERT_OK(registry_.SetProperties("OWN", {{"A", "own"}}));
  ASSERT_OK(registry_.SetPropertiesOfAll({{"A", "1"}, {"LEVEL", "4"}}));
  EXPECT_THAT(registry_.Get("A").value()->GetProperty("A"), IsOkAndHolds("1"));
  EXPECT_THAT(registry_.Get("LIB").value()->GetProperty("LEVEL"), IsOkAndHolds("4"));
  EXPECT_THAT(registry_.Get("OWN").value()->GetProperty("A"), IsOkAndHolds("own"));
  // Devices that come later get it too.
  ASSERT_OK(Register({Linked("LATER")}));
  EXPECT_THAT(registry_.Get("LATER").value()->GetProperty("A"), IsOkAndHolds("1"));
}

TEST_F(PluginRegistryTest, WhatNoDeviceHasIsNotFoundAndNothingIsSet) {
  ASSERT_OK(Register({Linked("A"), Linked("BROKEN", &CreateBroken)}));
  EXPECT_THAT(
      registry_.SetPropertiesOfAll({{"A", "1"}, {"C", "1"}}),
      StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("No registered device has the property: \"C\""),
                                                  HasSubstr("Device BROKEN could not be created: needs AVX2"))));
  EXPECT_THAT(registry_.SetPropertiesOfAll({{"FACT", "1"}}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(registry_.Get("A").value()->GetProperty("A"), IsOkAndHolds("0"));
  ASSERT_OK(Register({Linked("LATER")}));
  EXPECT_THAT(registry_.Get("LATER").value()->GetProperty("A"), IsOkAndHolds("0"));
  EXPECT_THAT(PluginRegistry().SetPropertiesOfAll({{"A", "1"}}), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(PluginRegistryTest, ARefusedValueLeavesAllDevicesAsTheyWere) {
  ASSERT_OK(Register({Linked("A"), FromLibrary("LIB", kGood)}));
  ASSERT_OK(registry_.SetProperties("LIB", {{"LEVEL", "2"}}));
  PluginRegistry other;
  ASSERT_OK(other.RegisterPluginsInRegistry({Linked("A"), FromLibrary("LIB", kGood)}));
  EXPECT_THAT(other.SetPropertiesOfAll({{"A", "1"}, {"LEVEL", "x"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Device LIB: LEVEL: expected 0..9, given x")));
  EXPECT_THAT(other.Get("A").value()->GetProperty("A"), IsOkAndHolds("0"));
  EXPECT_THAT(registry_.Get("LIB").value()->GetProperty("LEVEL"), IsOkAndHolds("2"));
}

TEST_F(PluginRegistryTest, UnloadingForgetsThePluginAndKeepsTheEntry) {
  ASSERT_OK(Register({Linked("A")}));
  EXPECT_THAT(registry_.Unload("X"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(registry_.Unload("A"), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(": A")));
  std::shared_ptr<Plugin> first = registry_.Get("A").value();
  ASSERT_OK(registry_.Unload("A"));
  EXPECT_THAT(registry_.Unload("A"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(TheLog().Take("A"), ElementsAre("created"));  // Somebody still uses it.
  EXPECT_THAT(registry_.DeviceNames(), ElementsAre("A"));
  const std::shared_ptr<Plugin> second = registry_.Get("A").value();
  EXPECT_NE(first, second);
  first.reset();
  EXPECT_THAT(TheLog().Take("A"), ElementsAre("created", "destroyed"));
}

TEST_F(PluginRegistryTest, RegistriesAreIndependent) {
  PluginRegistry other;
  ASSERT_OK(Register({Linked("A")}));
  ASSERT_OK(other.RegisterPluginsInRegistry({Linked("A")}));
  EXPECT_NE(registry_.Get("A").value(), other.Get("A").value());
  ASSERT_OK(registry_.SetProperties("A", {{"A", "1"}}));
  EXPECT_THAT(other.Get("A").value()->GetProperty("A"), IsOkAndHolds("0"));
}

TEST_F(PluginRegistryTest, ThreadsRegisterUseConfigureAndUnload) {
  ASSERT_OK(Register({Linked("A"), FromLibrary("LIB", kGood)}));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] {
      const std::string own = absl::StrCat("T", i);
      EXPECT_OK(Register({Linked(own)}));
      for (int k = 0; k < 50; ++k) {
        EXPECT_OK(registry_.Get("LIB").status());
        EXPECT_OK(registry_.SetProperties(own, {{"B", absl::StrCat(k)}}));
        if (k % 10 == i) {
          EXPECT_OK(registry_.SetPropertiesOfAll({{"A", absl::StrCat(k)}}));
        }
        if (k % 10 == 9) registry_.Unload("A").IgnoreError();  // Another thread may have been faster.
        EXPECT_OK(registry_.Get("A").status());
        EXPECT_THAT(registry_.Get(own).value()->GetProperty("B"), IsOkAndHolds(absl::StrCat(k)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const absl::StatusOr<std::string> value = registry_.Get("A").value()->GetProperty("A");
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(registry_.Get(absl::StrCat("T", i)).value()->GetProperty("A"), value);
  }
}

}  // namespace
}  // namespace burin

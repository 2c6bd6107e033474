#include "runtime/core/core_impl.h"

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/compiled_model.h"
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
using ::testing::Pair;

std::string Print(const PropertyMap& properties) { return absl::StrJoin(properties, ",", absl::PairFormatter("=")); }

// A device whose every answer tells what reached it. Knows AVAILABLE_DEVICES as far as it is told.
class EchoPlugin final : public Plugin {
 public:
  EchoPlugin(const std::string& device_name, absl::StatusOr<std::string> available)
      : Plugin(device_name), available_(std::move(available)) {}

  Version GetVersion() const override { return BuildVersion(absl::StrCat("version of ", device_name())); }
  absl::Status SetProperties(const PropertyMap& properties) override {
    return absl::AbortedError(absl::StrCat(device_name(), " set ", Print(properties)));
  }
  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    if (name == "AVAILABLE_DEVICES") return available_;
    return absl::StrCat(device_name(), " got ", name);
  }
  absl::StatusOr<std::shared_ptr<ICompiledModel>> ImportModel(std::istream& stream,
                                                              const PropertyMap& properties) override {
    std::string word;
    stream >> word;
    return absl::AbortedError(absl::StrCat(device_name(), " import ", word, " ", Print(properties)));
  }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap& properties, bool plan_only) override {
    Compilation compilation;
    compilation.supported = {absl::StrCat(model.name(), " ", Print(properties))};
    if (!plan_only) compilation.refused = {{model.name(), Print(properties)}};
    return compilation;
  }

 private:
  const absl::StatusOr<std::string> available_;
};

absl::StatusOr<std::unique_ptr<Plugin>> One(const std::string& name) {
  return std::make_unique<EchoPlugin>(name, std::string());
}
absl::StatusOr<std::unique_ptr<Plugin>> Two(const std::string& name) {
  return std::make_unique<EchoPlugin>(name, std::string("0 1"));
}
absl::StatusOr<std::unique_ptr<Plugin>> Silent(const std::string& name) {
  return std::make_unique<EchoPlugin>(name, absl::InternalError("lost"));
}
absl::StatusOr<std::unique_ptr<Plugin>> Broken(const std::string&) { return absl::UnimplementedError("needs AVX2"); }

TEST(CoreImplTest, AnEmptyNameMeansTheFirstDevice) {
  CoreImpl core({{"B", &One}, {"A", &One}});
  EXPECT_THAT(core.GetProperty("", "P"), IsOkAndHolds("B got P"));
  EXPECT_THAT(core.GetProperty("A", "P"), IsOkAndHolds("A got P"));
}

TEST(CoreImplTest, UnknownDevicesAreListedAndVirtualOnesExplained) {
  CoreImpl core({{"B", &One}, {"A", &One}});
  EXPECT_THAT(core.GetProperty("C", "P"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"C\"")));
  EXPECT_THAT(core.GetProperty("C", "P"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: B, A")));
  EXPECT_THAT(core.GetProperty("b", "P"), StatusIs(absl::StatusCode::kNotFound));
  for (const std::string name : {"AUTO", "BATCH:A(4)", "HETERO:A,B", "MULTI:A"}) {
    EXPECT_THAT(core.GetProperty(name, "P"),
                StatusIs(absl::StatusCode::kUnimplemented,
                         AllOf(HasSubstr(absl::StrCat("Virtual device ", name.substr(0, name.find(':')), " ")),
                               HasSubstr(absl::StrCat("asked for: ", name)))));
  }
  EXPECT_THAT(core.GetProperty("AUTOMATIC", "P"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(CoreImpl({}).GetProperty("", "P"), StatusIs(absl::StatusCode::kNotFound, Eq("No device is registered")));
}

TEST(CoreImplTest, EachCallReachesTheNamedDeviceWithItsProperties) {
  CoreImpl core({{"B", &One}, {"A", &One}});
  const ir::Model model("m");
  const PropertyMap properties = {{"K", "1"}, {"L", "2"}};
  EXPECT_THAT(core.CompileModel(model, "A", properties),
              StatusIs(absl::StatusCode::kUnimplemented, Eq("Device A cannot run 1 operation(s):\n  m: K=1,L=2")));
  EXPECT_THAT(core.QueryModel(model, "A", properties).value(), ElementsAre(Pair("m K=1,L=2", "A")));
  std::istringstream stream("blob");
  EXPECT_THAT(core.ImportModel(stream, "A", properties),
              StatusIs(absl::StatusCode::kAborted, Eq("A import blob K=1,L=2")));
  EXPECT_THAT(core.SetProperty("A", properties), StatusIs(absl::StatusCode::kAborted, Eq("A set K=1,L=2")));
  ASSERT_OK_AND_ASSIGN(const auto versions, core.GetVersions("A"));
  ASSERT_EQ(versions.size(), 1u);
  EXPECT_EQ(versions.at("A").description, "version of A");
}

TEST(CoreImplTest, EveryCallRefusesAnUnknownDevice) {
  CoreImpl core({{"A", &One}});
  const auto not_found = StatusIs(absl::StatusCode::kNotFound);
  const ir::Model model;
  std::istringstream stream;
  EXPECT_THAT(core.CompileModel(model, "X", {}), not_found);
  EXPECT_THAT(core.QueryModel(model, "X", {}), not_found);
  EXPECT_THAT(core.ImportModel(stream, "X", {}), not_found);
  EXPECT_THAT(core.SetProperty("X", {}), not_found);
  EXPECT_THAT(core.GetVersions("X"), not_found);
}

TEST(CoreImplTest, AnEmptyNameGivesTheVersionUnderTheDevicesOwnName) {
  CoreImpl core({{"B", &One}});
  ASSERT_OK_AND_ASSIGN(const auto versions, core.GetVersions(""));
  EXPECT_EQ(versions.count("B"), 1u);
}

TEST(CoreImplTest, AvailableDevicesAreThoseThatStart) {
  CoreImpl core({{"TWO", &Two}, {"BROKEN", &Broken}, {"SILENT", &Silent}, {"ONE", &One}});
  EXPECT_THAT(core.GetAvailableDevices(), ElementsAre("TWO.0", "TWO.1", "ONE"));
  // Using the one that does not start tells why.
  EXPECT_THAT(core.GetProperty("BROKEN", "P"), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("needs AVX2")));
  EXPECT_THAT(CoreImpl({}).GetAvailableDevices(), IsEmpty());
}

TEST(CoreImplTest, ReadingKnowsNoProperty) {
  CoreImpl core({});
  EXPECT_THAT(core.ReadModel("/no/such/model.onnx", "", {{"K", "1"}}),
              StatusIs(absl::StatusCode::kNotFound, Eq("Unknown property for ReadModel: K; there are none")));
  EXPECT_THAT(core.ReadModel("/no/such/model.onnx", "", {}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/model.onnx")));
}

TEST(CoreImplTest, ThreadsShareOneCore) {
  CoreImpl core({{"A", &One}, {"B", &Two}});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&core, i] {
      const std::string device = i % 2 == 0 ? "A" : "B";
      for (int k = 0; k < 50; ++k) {
        EXPECT_THAT(core.GetProperty(device, "P"), IsOkAndHolds(device + " got P"));
        EXPECT_THAT(core.GetAvailableDevices(), ElementsAre("A", "B.0", "B.1"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace burin

#include "runtime/core/core_impl.h"

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "runtime/core/fake_plugin_testlib.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/version.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

TEST(CoreImplTest, AnEmptyNameMeansThePreferredDevice) {
  CoreImpl core(Fakes({"B", "REFERENCE", "A"}));
  EXPECT_EQ(Compiled(core, ""), "REFERENCE: ");
  EXPECT_THAT(core.GetVersions("").value(), ElementsAre(Pair("REFERENCE", ::testing::_)));
  CoreImpl others(Fakes({"B", "A"}));
  EXPECT_EQ(Compiled(others, ""), "B: ");
  CoreImpl none({});
  EXPECT_THAT(none.GetVersions(""), StatusIs(absl::StatusCode::kNotFound, HasSubstr("No device is registered")));
}

TEST(CoreImplTest, EveryCallResolvesTheNameFirst) {
  CoreImpl core(Fakes({"A"}));
  const ir::Model model;
  HostContext context("X");
  struct Case {
    const char* name;
    absl::StatusCode code;
  };
  for (const Case& c :
       {Case{"X", absl::StatusCode::kNotFound}, Case{"HETERO:A", absl::StatusCode::kUnimplemented},
        Case{"A B", absl::StatusCode::kInvalidArgument}, Case{"-A", absl::StatusCode::kInvalidArgument}}) {
    SCOPED_TRACE(c.name);
    std::istringstream stream;
    // The device comes before the file.
    EXPECT_THAT(core.CompileModel(&model, c.name, {}), StatusIs(c.code));
    EXPECT_THAT(core.CompileModel(ModelFile{"/no/such/file", ""}, c.name, {}), StatusIs(c.code));
    EXPECT_THAT(core.CompileModel(&model, c.name, {}, &context), StatusIs(c.code));
    EXPECT_THAT(core.QueryModelSupport(model, c.name, {}), StatusIs(c.code));
    EXPECT_THAT(core.ImportModel(stream, c.name, {}), StatusIs(c.code));
    EXPECT_THAT(core.SetProperty(c.name, {}), StatusIs(c.code));
    EXPECT_THAT(core.GetProperty(c.name, "PERF_COUNT"), StatusIs(c.code));
    EXPECT_THAT(core.GetVersions(c.name), StatusIs(c.code));
    EXPECT_THAT(core.CreateContext(c.name, {}), StatusIs(c.code));
    EXPECT_THAT(core.GetDefaultContext(c.name), StatusIs(c.code));
  }
  EXPECT_THAT(core.GetVersions("X"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: A")));
}

TEST(CoreImplTest, EachCallReachesTheDeviceWithItsProperties) {
  CoreImpl core(Fakes({"A", "TWO"}));
  const ir::Model model("m");
  const PropertyMap properties = {{"PERF_COUNT", "YES"}, {"ENABLE_MMAP", "NO"}};
  EXPECT_EQ(Compiled(core, "TWO.1", properties), "TWO: DEVICE_ID=1,PERF_COUNT=YES");
  EXPECT_THAT(core.QueryModelSupport(model, "TWO.1", properties)->supported,
              ElementsAre(Pair("m with DEVICE_ID=1,PERF_COUNT=YES", "TWO")));
  EXPECT_THAT(core.QueryModelSupport(ir::Model("half"), "A", {})->refused, ElementsAre(Pair("op", "")));
  std::istringstream stream("blob");
  EXPECT_THAT(core.ImportModel(stream, "A", properties),
              StatusIs(absl::StatusCode::kAborted, "A imports blob with PERF_COUNT=YES"));
  EXPECT_EQ(core.CreateContext("A", properties).value()->device_name(), "A PERF_COUNT=YES");
  EXPECT_EQ(core.GetDefaultContext("TWO.1").value()->device_name(), "TWO");
  EXPECT_THAT(core.GetDefaultContext("TWO.2"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no instance \"2\"; there are: 0, 1")));
}

TEST(CoreImplTest, AContextsDeviceCompilesForIt) {
  CoreImpl core(Fakes({"A", "SILENT"}));
  const ir::Model model("m");
  HostContext a("A");
  EXPECT_THAT(core.CompileModel(&model, a.device_name(), {{"PERF_COUNT", "NO"}}, &a),
              StatusIs(absl::StatusCode::kAborted, "A compiles for context of A with PERF_COUNT=NO"));
  HostContext silent("SILENT");
  EXPECT_THAT(core.CompileModel(&model, silent.device_name(), {}, &silent),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("SILENT")));
}

TEST(CoreImplTest, AvailableDevicesAreThoseThatStart) {
  CoreImpl core(Fakes({"TWO", "BROKEN", "SILENT", "A", "HETERO"}));
  EXPECT_THAT(core.GetAvailableDevices(), ElementsAre("TWO.0", "TWO.1", "A"));
  // Using the one that does not start tells why.
  EXPECT_THAT(core.GetProperty("BROKEN", "P"), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("needs AVX2")));
  EXPECT_THAT(CoreImpl({}).GetAvailableDevices(), IsEmpty());
}

TEST(CoreImplTest, VersionsOfAVirtualDeviceAreThoseOfItsMembersToo) {
  CoreImpl core(Fakes({"A", "TWO", "AUTO", "HETERO"}));
  const auto described = [](const char* device) {
    return Pair(device, ::testing::Field(&Version::description, absl::StrCat("version of ", device)));
  };
  EXPECT_THAT(core.GetVersions("TWO.1").value(), ElementsAre(described("TWO")));
  EXPECT_THAT(core.GetVersions("HETERO:TWO.1,A,TWO.0").value(),
              ElementsAre(described("A"), described("HETERO"), described("TWO")));
  EXPECT_THAT(core.GetVersions("AUTO:-A").value(), ElementsAre(described("AUTO")));
  EXPECT_THAT(core.GetVersions("MULTI:A").value(),
              ElementsAre(described("A"), Pair("MULTI", ::testing::Field(&Version::description, "version of AUTO"))));
}

// Appends a field of bytes as protobuf writes it; all are shorter than 128.
void Field(int number, const std::string& bytes, std::string* message) {
  absl::StrAppend(message, std::string(1, static_cast<char>(number << 3 | 2)),
                  std::string(1, static_cast<char>(bytes.size())), bytes);
}

// An ONNX file whose graph "g" returns a constant of two bytes.
std::string ConstantModel() {
  const std::string tensor = std::string("\x08\x02\x10\x02", 4) + "\x42\x01" + "c" + "\x4a\x02" + "\x07\x09";
  std::string node;
  Field(1, "c", &node);
  Field(2, "y", &node);
  Field(4, "Identity", &node);
  std::string output;
  Field(1, "y", &output);
  std::string graph;
  Field(1, node, &graph);
  Field(2, "g", &graph);
  Field(5, tensor, &graph);
  Field(12, output, &graph);
  std::string model = "\x08\x08";
  Field(7, graph, &model);
  Field(8, "\x10\x11", &model);
  return model;
}

TEST(CoreImplTest, ReadingMapsTheFileUnlessToldOtherwise) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/", kFakeModelFileName);
  ASSERT_OK(WriteFileAtomically(path, ConstantModel()));
  CoreImpl core(Fakes({"A"}));
  const ModelFile file = {path, ""};
  const CoreImpl::ModelSource source = file;
  {
    ASSERT_OK_AND_ASSIGN(const auto model, core.ReadModel(file, {}));
    EXPECT_TRUE(IsMapped(kFakeModelFileName));
  }
  EXPECT_FALSE(IsMapped(kFakeModelFileName));
  EXPECT_EQ(Compiled(core, "A", {}, &source), "A: mapped ");
  // For one call.
  {
    ASSERT_OK_AND_ASSIGN(const auto model, core.ReadModel(file, {{"ENABLE_MMAP", "NO"}}));
    EXPECT_FALSE(IsMapped(kFakeModelFileName));
  }
  EXPECT_EQ(Compiled(core, "A", {{"ENABLE_MMAP", "NO"}}, &source), "A: ");
  // For the Core; a call goes before it.
  ASSERT_OK(core.SetProperty({{"ENABLE_MMAP", "NO"}}));
  EXPECT_EQ(Compiled(core, "A", {}, &source), "A: ");
  EXPECT_EQ(Compiled(core, "A", {{"ENABLE_MMAP", "YES"}}, &source), "A: mapped ");
  ASSERT_OK_AND_ASSIGN(const auto model, core.ReadModel(file, {}));
  EXPECT_FALSE(IsMapped(kFakeModelFileName));
}

TEST(CoreImplTest, ReadsAndCompilesFromMemory) {
  CoreImpl core(Fakes({"A"}));
  const auto owner = std::make_shared<const std::string>(ConstantModel());
  const ModelBytes bytes = {ir::Storage::Borrow(owner, owner->data(), owner->size()), ir::Tensor()};
  ASSERT_OK_AND_ASSIGN(const auto model, core.ReadModel(bytes));
  EXPECT_EQ(model->name(), "g");
  const CoreImpl::ModelSource source = bytes;
  EXPECT_EQ(Compiled(core, "A", {}, &source), "A: ");
  const CoreImpl::ModelSource broken = ModelBytes{ir::Storage::Borrow(owner, owner->data(), 7), ir::Tensor()};
  EXPECT_THAT(Compiled(core, "A", {}, &broken), HasSubstr("INVALID_ARGUMENT"));
}

TEST(CoreImplTest, ReadingKnowsOneProperty) {
  CoreImpl core({});
  const ModelFile missing = {"/no/such/model.onnx", ""};
  for (const char* name : {"K", "ALLOW_AUTO_BATCHING", "PERF_COUNT"}) {
    EXPECT_THAT(core.ReadModel(missing, {{name, "YES"}}),
                StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr(name), HasSubstr("there are: ENABLE_MMAP"))));
  }
  EXPECT_THAT(core.ReadModel(missing, {{"ENABLE_MMAP", "2"}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(core.ReadModel(missing, {}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/model.onnx")));
}

TEST(CoreImplTest, APluginListAddsDevices) {
  const std::string library = std::filesystem::absolute("runtime/core/test_plugins/libgood_plugin.so").string();
  const std::string path = ::testing::TempDir() + "/core_impl_test_plugins.xml";
  ASSERT_OK(WriteFileAtomically(path, absl::StrCat("<r><plugins><plugin name=\"GOOD\" location=\"", library,
                                                   "\"><properties><property key=\"LEVEL\" value=\"7\"/></properties>"
                                                   "</plugin><plugin name=\"MISSING\" location=\"/no/such.so\"/>"
                                                   "</plugins></r>")));
  CoreImpl core(Fakes({"A"}));
  ASSERT_OK(core.RegisterPlugins(path));
  EXPECT_THAT(core.GetProperty("GOOD", "LEVEL"), IsOkAndHolds("7"));
  // Another Core does not know it.
  EXPECT_THAT(CoreImpl(Fakes({"A"})).GetProperty("GOOD", "LEVEL"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(core.GetVersions("MISSING"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such.so")));
  // All or none, and each device once.
  EXPECT_THAT(core.RegisterPlugins(path), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("GOOD")));
  EXPECT_THAT(core.RegisterPlugins("/no/such/plugins.xml"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(core.RegisterPlugin(library, "A", {}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"A\"")));
  EXPECT_THAT(core.RegisterPlugin(library, "A.0", {}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(core.RegisterPlugin("", "E", {}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"E\"")));
}

TEST(CoreImplTest, UnloadingForgetsThePluginAlone) {
  CoreImpl core(Fakes({"A"}));
  EXPECT_THAT(core.UnloadPlugin("A"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(core.UnloadPlugin("X"), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK(core.SetProperty("A", {{"PERF_COUNT", "YES"}}));
  ASSERT_OK(core.UnloadPlugin("A"));
  EXPECT_THAT(core.UnloadPlugin("A"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(Compiled(core, "A"), "A: PERF_COUNT=YES");
}

TEST(CoreImplTest, TwoCoresShareNothing) {
  CoreImpl one(Fakes({"A"}));
  CoreImpl other(Fakes({"A"}));
  ASSERT_OK(one.SetProperty("A", {{"PERF_COUNT", "YES"}, {"ALLOW_AUTO_BATCHING", "NO"}}));
  EXPECT_THAT(other.GetProperty("A", "PERF_COUNT"), IsOkAndHolds("NO"));
  EXPECT_THAT(other.GetProperty("A", "ALLOW_AUTO_BATCHING"), IsOkAndHolds("YES"));
  ASSERT_OK(one.UnloadPlugin("A"));
  EXPECT_THAT(other.GetProperty("A", "PERF_COUNT"), IsOkAndHolds("NO"));
}

TEST(CoreImplTest, ThreadsShareOneCore) {
  CoreImpl core(Fakes({"A", "TWO", "HINTED", "BATCH"}));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&core, i] {
      const std::string device = i % 2 == 0 ? "A" : "TWO";
      const std::string value = i % 3 == 0 ? "YES" : "NO";
      for (int k = 0; k < 30; ++k) {
        EXPECT_OK(core.SetProperty(device, {{"PERF_COUNT", value}, {"ALLOW_AUTO_BATCHING", value}}));
        EXPECT_OK(core.SetProperty({{"PERF_COUNT", value}, {"ENABLE_MMAP", value}}));
        EXPECT_THAT(core.GetProperty(device, "PERF_COUNT").value(), ::testing::AnyOf("YES", "NO"));
        EXPECT_THAT(core.GetProperty("", "ENABLE_MMAP").value(), ::testing::AnyOf("YES", "NO"));
        EXPECT_THAT(core.GetAvailableDevices(), ElementsAre("A", "TWO.0", "TWO.1", "HINTED"));
        EXPECT_THAT(Compiled(core, "HINTED", {{"PERFORMANCE_HINT", "THROUGHPUT"}}), HasSubstr("BATCH: "));
        // Two threads may unload at once.
        EXPECT_THAT(core.UnloadPlugin("TWO").code(),
                    ::testing::AnyOf(absl::StatusCode::kOk, absl::StatusCode::kFailedPrecondition));
        if (i == 0) {
          EXPECT_OK(core.RegisterPlugin("/no/such.so", absl::StrCat("NEW_", k), {}));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(core.GetAvailableDevices(), Not(IsEmpty()));
}

}  // namespace
}  // namespace burin

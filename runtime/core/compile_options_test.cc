#include "runtime/core/compile_options.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

const std::vector<std::string> kRegistered = {"CPU", "GPU", "AUTO", "BATCH", "HETERO"};

std::string Print(const PropertyMap& properties) { return absl::StrJoin(properties, " ", absl::PairFormatter("=")); }

struct Rule {
  const char* about;
  const char* device;
  PropertyMap given;
  const char* plugin;
  const char* properties;  // What the plugin gets.
};

void ExpectThePluginGets(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    SCOPED_TRACE(absl::StrCat(rule.about, ": ", rule.device));
    const auto options = NormalizeOptions(rule.device, rule.given, kRegistered);
    ASSERT_OK(options.status());
    EXPECT_EQ(options->plugin, rule.plugin);
    EXPECT_EQ(Print(options->properties), rule.properties);
  }
}

TEST(CompileOptionsTest, WhatTheNameCarriesBecomesProperties) {
  ExpectThePluginGets({
      {"nothing", "", {}, "CPU", ""},
      {"plain properties pass", "GPU", {{"K", "1"}, {"L", ""}}, "GPU", "K=1 L="},
      {"unknown ones too: the plugin refuses them", "GPU", {{"NO SUCH", "1"}}, "GPU", "NO SUCH=1"},
      {"an id becomes a property", "GPU.1", {}, "GPU", "DEVICE_ID=1"},
      {"repeated in the map", "GPU.1", {{"DEVICE_ID", "1"}}, "GPU", "DEVICE_ID=1"},
      {"given in the map", "GPU", {{"DEVICE_ID", "1"}}, "GPU", "DEVICE_ID=1"},
      {"a list becomes a property", "HETERO:GPU,CPU", {}, "HETERO", "MULTI_DEVICE_PRIORITIES=GPU,CPU"},
      {"repeated in the map",
       "HETERO:GPU",
       {{"MULTI_DEVICE_PRIORITIES", "GPU"}},
       "HETERO",
       "MULTI_DEVICE_PRIORITIES=GPU"},
      {"given in the map",
       "HETERO",
       {{"MULTI_DEVICE_PRIORITIES", "GPU,CPU"}},
       "HETERO",
       "MULTI_DEVICE_PRIORITIES=GPU,CPU"},
      {"BATCH with a size", "BATCH:GPU.1(4)", {}, "BATCH", "MULTI_DEVICE_PRIORITIES=GPU.1(4)"},
      {"MULTI is AUTO with a hint",
       "MULTI:GPU",
       {},
       "AUTO",
       "MULTI_DEVICE_PRIORITIES=GPU PERFORMANCE_HINT=CUMULATIVE_THROUGHPUT"},
  });
}

TEST(CompileOptionsTest, DevicePropertiesAreFlattened) {
  const char* kForGpu = R"({"GPU": {"K": "gpu"}, "GPU.0": {"K": "gpu0"}, "CPU": {"K": "cpu"}})";
  ExpectThePluginGets({
      {"hardware gets its own entry", "GPU", {{"DEVICE_PROPERTIES", kForGpu}}, "GPU", "K=gpu"},
      {"of another device nothing", "CPU", {{"DEVICE_PROPERTIES", R"({"GPU": {"K": "1"}})"}}, "CPU", ""},
      {"an entry goes before the plain ones",
       "GPU",
       {{"K", "plain"}, {"L", "plain"}, {"DEVICE_PROPERTIES", kForGpu}},
       "GPU",
       "K=gpu L=plain"},
      {"an instance's before the device's", "GPU.0", {{"DEVICE_PROPERTIES", kForGpu}}, "GPU", "DEVICE_ID=0 K=gpu0"},
      {"an instance may be chosen in the map",
       "GPU",
       {{"DEVICE_ID", "0"}, {"DEVICE_PROPERTIES", kForGpu}},
       "GPU",
       "DEVICE_ID=0 K=gpu0"},
      {"entries apply to what is below", "GPU.0.1", {{"DEVICE_PROPERTIES", kForGpu}}, "GPU", "DEVICE_ID=0.1 K=gpu0"},
      {"and to nothing beside", "GPU.01", {{"DEVICE_PROPERTIES", kForGpu}}, "GPU", "DEVICE_ID=01 K=gpu"},
      {"the device's own key goes before the whole map",
       "GPU",
       {{"DEVICE_PROPERTIES", R"({"GPU": {"K": "map", "L": "map"}})"}, {"DEVICE_PROPERTIES_GPU", R"({"K": "own"})"}},
       "GPU",
       "K=own L=map"},
      {"an instance's own key",
       "GPU.0",
       {{"DEVICE_PROPERTIES_GPU", R"({"K": "gpu"})"}, {"DEVICE_PROPERTIES_GPU.0", R"({"K": 0})"}},
       "GPU",
       "DEVICE_ID=0 K=0"},
      {"an entry may choose the instance",
       "GPU",
       {{"DEVICE_PROPERTIES_GPU", R"({"DEVICE_ID": 1})"}},
       "GPU",
       "DEVICE_ID=1"},
      {"a virtual device passes entries on",
       "HETERO:GPU,CPU",
       {{"K", "1"},
        {"DEVICE_PROPERTIES", R"({"GPU": {"K": "map"}, "CPU": {"L": true}})"},
        {"DEVICE_PROPERTIES_GPU", R"({"K": "own"})"}},
       "HETERO",
       R"(DEVICE_PROPERTIES={"CPU":{"L":"YES"},"GPU":{"K":"own"}} K=1 MULTI_DEVICE_PRIORITIES=GPU,CPU)"},
      {"and takes the one of its name",
       "HETERO:GPU",
       {{"K", "1"}, {"DEVICE_PROPERTIES", R"({"HETERO": {"K": "2"}, "GPU": {"K": "3"}})"}},
       "HETERO",
       R"(DEVICE_PROPERTIES={"GPU":{"K":"3"}} K=2 MULTI_DEVICE_PRIORITIES=GPU)"},
      {"exactly of its name: AUTO's are not MULTI's",
       "MULTI:GPU",
       {{"DEVICE_PROPERTIES", R"({"AUTO": {"K": "2"}})"}},
       "AUTO",
       R"(DEVICE_PROPERTIES={"AUTO":{"K":"2"}} MULTI_DEVICE_PRIORITIES=GPU PERFORMANCE_HINT=CUMULATIVE_THROUGHPUT)"},
      {"no entry, no property", "HETERO:GPU", {{"DEVICE_PROPERTIES", "{}"}}, "HETERO", "MULTI_DEVICE_PRIORITIES=GPU"},
  });
}

TEST(CompileOptionsTest, TheCoresOwnPropertiesAreTakenOut) {
  ExpectThePluginGets({
      {"the Core's own are taken out", "GPU", {{"ENABLE_MMAP", "NO"}, {"K", "1"}}, "GPU", "K=1"},
      {"also from an entry", "GPU", {{"DEVICE_PROPERTIES_GPU", R"({"ENABLE_MMAP": false})"}}, "GPU", ""},
      {"for a virtual device too", "BATCH:GPU", {{"ENABLE_MMAP", "NO"}}, "BATCH", "MULTI_DEVICE_PRIORITIES=GPU"},
      {"hardware knows nothing of batching",
       "GPU",
       {{"ALLOW_AUTO_BATCHING", "NO"}, {"AUTO_BATCH_TIMEOUT", "5"}},
       "GPU",
       ""},
      {"BATCH needs no leave, but waits",
       "BATCH:GPU",
       {{"ALLOW_AUTO_BATCHING", "NO"}, {"AUTO_BATCH_TIMEOUT", "5"}},
       "BATCH",
       "AUTO_BATCH_TIMEOUT=5 MULTI_DEVICE_PRIORITIES=GPU"},
      {"who compiles through the Core passes both on",
       "HETERO:GPU",
       {{"ALLOW_AUTO_BATCHING", "NO"}, {"AUTO_BATCH_TIMEOUT", "5"}},
       "HETERO",
       "ALLOW_AUTO_BATCHING=NO AUTO_BATCH_TIMEOUT=5 MULTI_DEVICE_PRIORITIES=GPU"},
      {"a hint is the device's", "GPU", {{"PERFORMANCE_HINT", "THROUGHPUT"}}, "GPU", "PERFORMANCE_HINT=THROUGHPUT"},
  });
}

TEST(CompileOptionsTest, TheCoreKeepsItsOwn) {
  ASSERT_OK_AND_ASSIGN(
      const auto options,
      NormalizeOptions("CPU", {{"ENABLE_MMAP", "NO"}, {"ALLOW_AUTO_BATCHING", "false"}, {"K", "1"}}, kRegistered));
  EXPECT_THAT(options.core, ElementsAre(Pair("ALLOW_AUTO_BATCHING", "false"), Pair("ENABLE_MMAP", "NO")));
  EXPECT_THAT(NormalizeOptions("CPU", {}, kRegistered)->core, IsEmpty());
}

TEST(CompileOptionsTest, TellsTheDevice) {
  EXPECT_EQ(NormalizeOptions("", {}, kRegistered)->device.NameAndId(), "CPU");
  EXPECT_EQ(NormalizeOptions("GPU.1", {}, kRegistered)->device.NameAndId(), "GPU.1");
  EXPECT_EQ(NormalizeOptions("GPU", {{"DEVICE_ID", "1"}}, kRegistered)->device.NameAndId(), "GPU.1");
  EXPECT_EQ(NormalizeOptions("MULTI:GPU", {}, kRegistered)->device.NameAndId(), "MULTI");
}

TEST(CompileOptionsTest, EachContradictionAndBadValueIsRefused) {
  struct Case {
    const char* device;
    PropertyMap given;
    absl::StatusCode code;
    const char* message;
  };
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  const Case cases[] = {
      {"GPU.1", {{"DEVICE_ID", "0"}}, kInvalid, "mismatch: \"GPU.1\" means DEVICE_ID = \"1\", given \"0\""},
      {"GPU.1", {{"DEVICE_ID", ""}}, kInvalid, "mismatch"},
      {"GPU.1", {{"DEVICE_PROPERTIES_GPU", R"({"DEVICE_ID": "0"})"}}, kInvalid, "mismatch"},
      {"HETERO:GPU,CPU", {{"MULTI_DEVICE_PRIORITIES", "CPU,GPU"}}, kInvalid, "mismatch"},
      {"MULTI:GPU", {{"PERFORMANCE_HINT", "LATENCY"}}, kInvalid, "mismatch"},
      {"HETERO", {{"MULTI_DEVICE_PRIORITIES", "CPU,,GPU"}}, kInvalid, "Property MULTI_DEVICE_PRIORITIES: Illegal"},
      {"BATCH", {{"MULTI_DEVICE_PRIORITIES", "CPU,GPU"}}, kInvalid, "BATCH takes one device"},
      {"HETERO", {{"MULTI_DEVICE_PRIORITIES", ""}}, kInvalid, "expected a device name"},
      {"HETERO", {{"MULTI_DEVICE_PRIORITIES", "NPU"}}, absl::StatusCode::kNotFound, "\"NPU\""},
      {"CPU",
       {{"DEVICE_PROPERTIES", "PERF_COUNT=YES"}},
       kInvalid,
       "Property DEVICE_PROPERTIES: expected a JSON object"},
      {"CPU", {{"DEVICE_PROPERTIES_CPU", "[]"}}, kInvalid, "Property DEVICE_PROPERTIES_CPU: expected a JSON object"},
      {"CPU",
       {{"DEVICE_PROPERTIES", R"({"NPU": {}})"}},
       absl::StatusCode::kNotFound,
       "Property DEVICE_PROPERTIES: No device \"NPU\""},
      {"CPU", {{"DEVICE_PROPERTIES_NPU", "{}"}}, absl::StatusCode::kNotFound, "\"NPU\""},
      {"CPU", {{"DEVICE_PROPERTIES_", "{}"}}, kInvalid, "expected the name of one device"},
      {"CPU", {{"DEVICE_PROPERTIES_(CPU)", "{}"}}, kInvalid, "expected the name of one device"},
      {"CPU", {{"DEVICE_PROPERTIES_HETERO:CPU", "{}"}}, kInvalid, "expected the name of one device"},
      {"CPU", {{"DEVICE_PROPERTIES_-CPU", "{}"}}, kInvalid, "excludes"},
      {"CPU", {{"ENABLE_MMAP", "perhaps"}}, kInvalid, "ENABLE_MMAP"},
      {"CPU", {{"ALLOW_AUTO_BATCHING", ""}}, kInvalid, "ALLOW_AUTO_BATCHING"},
      {"CPU", {{"AUTO_BATCH_TIMEOUT", "-1"}}, kInvalid, "AUTO_BATCH_TIMEOUT"},
      {"NPU", {}, absl::StatusCode::kNotFound, "\"NPU\""},
      {"CPU:", {}, kInvalid, "Illegal device name"},
      {"MULTI:NPU", {}, absl::StatusCode::kNotFound, "\"NPU\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(absl::StrCat(c.device, " ", Print(c.given)));
    EXPECT_THAT(NormalizeOptions(c.device, c.given, kRegistered), StatusIs(c.code, HasSubstr(c.message)));
  }
  EXPECT_THAT(NormalizeOptions("HETERO:CPU", {}, {"CPU"}),
              StatusIs(absl::StatusCode::kUnimplemented, AllOf(HasSubstr("HETERO"), HasSubstr("no plugin"))));
}

TEST(CompileOptionsTest, KnowsTheCoresOwnProperties) {
  for (const char* name : {"ENABLE_MMAP", "ALLOW_AUTO_BATCHING"}) EXPECT_TRUE(IsCoreProperty(name)) << name;
  for (const char* name : {"PERF_COUNT", "AUTO_BATCH_TIMEOUT", "PERFORMANCE_HINT", "DEVICE_ID", "NO_SUCH", ""}) {
    EXPECT_FALSE(IsCoreProperty(name)) << name;
  }
}

}  // namespace
}  // namespace burin

// Which value of a property holds for a device and a call.
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/core/core_impl.h"
#include "runtime/core/fake_plugin_testlib.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// What sets a value, in increasing order of precedence; a higher one wins whichever came first.
TEST(CoreImplPropertiesTest, PrecedenceOfEachPair) {
  const char* kPerfCount = "PERF_COUNT";
  const PropertyMap yes = {{kPerfCount, "YES"}};
  const PropertyMap no = {{kPerfCount, "NO"}};
  CoreImpl plain(Fakes({"A"}));
  EXPECT_EQ(Compiled(plain, "A"), "A: ");
  EXPECT_EQ(plain.GetProperty("A", kPerfCount).value(), "NO");
  // Default < all.
  ASSERT_OK(plain.SetProperty(yes));
  EXPECT_EQ(Compiled(plain, "A"), "A: PERF_COUNT=YES");
  EXPECT_EQ(plain.GetProperty("A", kPerfCount).value(), "YES");
  // All < device, set after it and before it.
  ASSERT_OK(plain.SetProperty("A", no));
  EXPECT_EQ(Compiled(plain, "A"), "A: PERF_COUNT=NO");
  ASSERT_OK(plain.SetProperty(yes));
  EXPECT_EQ(Compiled(plain, "A"), "A: PERF_COUNT=NO");
  // Device < call.
  EXPECT_EQ(Compiled(plain, "A", yes), "A: PERF_COUNT=YES");
  EXPECT_EQ(plain.GetProperty("A", kPerfCount).value(), "NO");
  // Default < device; all < call.
  CoreImpl other(Fakes({"A", "B"}));
  ASSERT_OK(other.SetProperty("A", yes));
  EXPECT_EQ(Compiled(other, "A"), "A: PERF_COUNT=YES");
  EXPECT_EQ(Compiled(other, "B"), "B: ");
  ASSERT_OK(other.SetProperty(yes));
  EXPECT_EQ(Compiled(other, "B", no), "B: PERF_COUNT=NO");
  // An entry for the device < the call's plain value is the other way round: it names the device.
  EXPECT_EQ(Compiled(other, "B", {{kPerfCount, "NO"}, {"DEVICE_PROPERTIES_B", R"({"PERF_COUNT": "YES"})"}}),
            "B: PERF_COUNT=YES");
}

TEST(CoreImplPropertiesTest, PropertiesOfAPluginListComeFirst) {
  const std::string library = "runtime/core/test_plugins/libgood_plugin.so";
  CoreImpl core(Fakes({"A"}));
  ASSERT_OK(core.RegisterPlugin(library, "DEFAULT", {}));
  ASSERT_OK(core.RegisterPlugin(library, "LIST", {{"LEVEL", "3"}}));
  ASSERT_OK(core.RegisterPlugin(library, "DEVICE", {{"LEVEL", "3"}}));
  // Default < list.
  EXPECT_THAT(core.GetProperty("DEFAULT", "LEVEL"), IsOkAndHolds("0"));
  EXPECT_THAT(core.GetProperty("LIST", "LEVEL"), IsOkAndHolds("3"));
  // List < device.
  ASSERT_OK(core.SetProperty("DEVICE", {{"LEVEL", "5"}}));
  EXPECT_THAT(core.GetProperty("DEVICE", "LEVEL"), IsOkAndHolds("5"));
  // List < all, also for a device registered later.
  ASSERT_OK(core.SetProperty({{"LEVEL", "4"}}));
  ASSERT_OK(core.RegisterPlugin(library, "LATER", {{"LEVEL", "3"}}));
  EXPECT_THAT(core.GetProperty("LIST", "LEVEL"), IsOkAndHolds("4"));
  EXPECT_THAT(core.GetProperty("LATER", "LEVEL"), IsOkAndHolds("4"));
  EXPECT_THAT(core.GetProperty("DEVICE", "LEVEL"), IsOkAndHolds("5"));
  // They outlive the plugin.
  ASSERT_OK(core.UnloadPlugin("DEVICE"));
  EXPECT_THAT(core.GetProperty("DEVICE", "LEVEL"), IsOkAndHolds("5"));
}

TEST(CoreImplPropertiesTest, PropertiesOfAllDevices) {
  CoreImpl core(Fakes({"A", "HINTED", "BROKEN"}));
  // Only who has it gets it.
  ASSERT_OK(core.SetProperty({{"PERFORMANCE_HINT", "THROUGHPUT"}, {"PERF_COUNT", "YES"}}));
  EXPECT_EQ(Compiled(core, "A"), "A: PERF_COUNT=YES");
  EXPECT_EQ(Compiled(core, "HINTED"), "HINTED: PERFORMANCE_HINT=THROUGHPUT,PERF_COUNT=YES");
  // All or none: neither devices nor the Core.
  EXPECT_THAT(core.SetProperty({{"PERF_COUNT", "NO"}, {"ENABLE_MMAP", "NO"}, {"NO_SUCH", "1"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("NO_SUCH")));
  EXPECT_THAT(core.SetProperty({{"PERF_COUNT", "perhaps"}, {"ENABLE_MMAP", "NO"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("perhaps")));
  EXPECT_THAT(core.SetProperty({{"PERF_COUNT", "NO"}, {"ENABLE_MMAP", "perhaps"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ENABLE_MMAP")));
  EXPECT_THAT(core.GetProperty("A", "PERF_COUNT"), IsOkAndHolds("YES"));
  EXPECT_THAT(core.GetProperty("", "ENABLE_MMAP"), IsOkAndHolds("YES"));
}

TEST(CoreImplPropertiesTest, TheCoresOwnProperties) {
  CoreImpl core(Fakes({"A"}));
  EXPECT_THAT(core.GetProperty("", "SUPPORTED_PROPERTIES"),
              IsOkAndHolds("ALLOW_AUTO_BATCHING:RW ENABLE_MMAP:RW SUPPORTED_PROPERTIES:RO"));
  struct Case {
    const char* name;
    const char* default_value;
    const char* value;
    const char* reads_back;
  };
  for (const Case& c : {Case{"ENABLE_MMAP", "YES", "false", "NO"}, Case{"ALLOW_AUTO_BATCHING", "YES", "NO", "NO"}}) {
    SCOPED_TRACE(c.name);
    EXPECT_THAT(core.GetProperty("", c.name), IsOkAndHolds(c.default_value));
    EXPECT_THAT(core.SetProperty({{c.name, "perhaps"}}), StatusIs(absl::StatusCode::kInvalidArgument));
    ASSERT_OK(core.SetProperty({{c.name, c.value}}));
    EXPECT_THAT(core.GetProperty("", c.name), IsOkAndHolds(c.reads_back));
    // It is this Core's.
    EXPECT_THAT(CoreImpl(Fakes({"A"})).GetProperty("", c.name), IsOkAndHolds(c.default_value));
  }
  // Everything else is a device's, however it is spelt.
  for (const char* name : {"PERF_COUNT", "AVAILABLE_DEVICES", "NO_SUCH", ""}) {
    EXPECT_THAT(
        core.GetProperty("", name),
        StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("The Core has no property"), HasSubstr("ENABLE_MMAP"))))
        << name;
  }
  EXPECT_THAT(core.GetProperty("A", "ENABLE_MMAP"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(core.SetProperty("A", {{"ENABLE_MMAP", "NO"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("set without a device")));
}

TEST(CoreImplPropertiesTest, WhatCannotBeSetOnADevice) {
  CoreImpl core(Fakes({"A", "HETERO"}));
  EXPECT_THAT(core.SetProperty("A", {{"NO_SUCH", "1"}}),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("NO_SUCH"), HasSubstr("PERF_COUNT"))));
  EXPECT_THAT(core.SetProperty("A", {{"PERF_COUNT", "2"}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(core.SetProperty("HETERO:A", {{"PERF_COUNT", "YES"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("without those behind it")));
  EXPECT_THAT(core.GetProperty("HETERO:A", "PERF_COUNT"), StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_OK(core.SetProperty("HETERO", {{"PERF_COUNT", "YES"}}));
  EXPECT_THAT(core.GetProperty("HETERO", "PERF_COUNT"), IsOkAndHolds("YES"));
  for (const char* name : {"DEVICE_PROPERTIES", "DEVICE_PROPERTIES_A"}) {
    EXPECT_THAT(core.SetProperty("A", {{name, "{}"}}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(name)));
    EXPECT_THAT(core.SetProperty({{name, "{}"}}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(name)));
  }
  // All or none.
  EXPECT_THAT(core.SetProperty("A", {{"ALLOW_AUTO_BATCHING", "NO"}, {"PERF_COUNT", "2"}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(core.GetProperty("A", "ALLOW_AUTO_BATCHING"), IsOkAndHolds("YES"));
}

TEST(CoreImplPropertiesTest, InstancesAreCheckedWhereTheyAreAsked) {
  CoreImpl core(Fakes({"A", "TWO"}));
  EXPECT_THAT(core.GetProperty("TWO.1", "PERF_COUNT"), IsOkAndHolds("NO"));
  EXPECT_THAT(core.GetProperty("A.0", "PERF_COUNT"), IsOkAndHolds("NO"));
  EXPECT_THAT(core.GetProperty("A.1", "PERF_COUNT"),
              StatusIs(absl::StatusCode::kNotFound, "Device A has no instance \"1\"; there are: 0"));
  ASSERT_OK(core.SetProperty("TWO.1", {{"PERF_COUNT", "YES"}}));
  EXPECT_EQ(Compiled(core, "TWO.1"), "TWO: DEVICE_ID=1,PERF_COUNT=YES");
}

TEST(CoreImplPropertiesTest, AutoBatchingPutsBatchInFront) {
  const PropertyMap throughput = {{"PERFORMANCE_HINT", "THROUGHPUT"}};
  CoreImpl core(Fakes({"HINTED", "A", "BATCH"}));
  EXPECT_EQ(Compiled(core, "HINTED"), "HINTED: ");
  EXPECT_EQ(Compiled(core, "HINTED", {{"PERFORMANCE_HINT", "LATENCY"}}), "HINTED: PERFORMANCE_HINT=LATENCY");
  EXPECT_EQ(Compiled(core, "HINTED", throughput),
            "BATCH: MULTI_DEVICE_PRIORITIES=HINTED(8),PERFORMANCE_HINT=THROUGHPUT");
  // The timeout goes along; a device in the map and properties for the device do too.
  EXPECT_EQ(Compiled(core, "HINTED",
                     {{"PERFORMANCE_HINT", "THROUGHPUT"},
                      {"AUTO_BATCH_TIMEOUT", "5"},
                      {"DEVICE_ID", "1"},
                      {"DEVICE_PROPERTIES_HINTED", R"({"PERF_COUNT": true})"}}),
            "BATCH: AUTO_BATCH_TIMEOUT=5,DEVICE_ID=1,DEVICE_PROPERTIES={\"HINTED\":{\"PERF_COUNT\":\"YES\"}},"
            "MULTI_DEVICE_PRIORITIES=HINTED.1(8),PERFORMANCE_HINT=THROUGHPUT");
  EXPECT_EQ(Compiled(core, "HINTED", {{"DEVICE_PROPERTIES_HINTED", R"({"PERFORMANCE_HINT": "THROUGHPUT"})"}}),
            "BATCH: DEVICE_PROPERTIES={\"HINTED\":{\"PERFORMANCE_HINT\":\"THROUGHPUT\"}},"
            "MULTI_DEVICE_PRIORITIES=HINTED(8)");
  // Asked for by name, with another size.
  EXPECT_EQ(Compiled(core, "BATCH:HINTED(4)"), "BATCH: MULTI_DEVICE_PRIORITIES=HINTED(4)");
  // A context is of the device, not of BATCH.
  HostContext context("HINTED");
  const ir::Model model("m");
  EXPECT_THAT(core.CompileModel(&model, "HINTED", throughput, &context),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("HINTED compiles for context of HINTED")));
  // What is asked about the device is answered by it.
  EXPECT_THAT(core.QueryModelSupport(model, "HINTED", throughput)->supported,
              ElementsAre(Pair("m with PERFORMANCE_HINT=THROUGHPUT", "HINTED")));
  // The hint may be the device's.
  ASSERT_OK(core.SetProperty("HINTED", throughput));
  EXPECT_EQ(Compiled(core, "HINTED"), "BATCH: MULTI_DEVICE_PRIORITIES=HINTED(8)");
  // A device without an optimal batch is left alone, and the hint is its to refuse.
  EXPECT_THAT(Compiled(core, "A", throughput), HasSubstr("NOT_FOUND: Device A has no property PERFORMANCE_HINT"));
}

TEST(CoreImplPropertiesTest, AutoBatchingCanBeForbidden) {
  const PropertyMap throughput = {{"PERFORMANCE_HINT", "THROUGHPUT"}};
  const std::string alone = "HINTED: PERFORMANCE_HINT=THROUGHPUT";
  CoreImpl without(Fakes({"HINTED"}));
  EXPECT_EQ(Compiled(without, "HINTED", throughput), alone);
  CoreImpl core(Fakes({"HINTED", "BATCH"}));
  const auto with_leave = [&](const char* allowed) {
    return Compiled(core, "HINTED", {{"PERFORMANCE_HINT", "THROUGHPUT"}, {"ALLOW_AUTO_BATCHING", allowed}});
  };
  EXPECT_EQ(with_leave("NO"), alone);
  EXPECT_THAT(with_leave("YES"), HasSubstr("BATCH: "));
  // For all devices, for one, and for one call, the later before the earlier.
  ASSERT_OK(core.SetProperty({{"ALLOW_AUTO_BATCHING", "NO"}}));
  EXPECT_EQ(Compiled(core, "HINTED", throughput), alone);
  EXPECT_THAT(with_leave("YES"), HasSubstr("BATCH: "));
  ASSERT_OK(core.SetProperty("HINTED", {{"ALLOW_AUTO_BATCHING", "YES"}}));
  EXPECT_THAT(Compiled(core, "HINTED", throughput), HasSubstr("BATCH: "));
  EXPECT_THAT(core.GetProperty("HINTED", "ALLOW_AUTO_BATCHING"), IsOkAndHolds("YES"));
  EXPECT_EQ(with_leave("NO"), alone);
}

}  // namespace
}  // namespace burin

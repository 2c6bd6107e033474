#include "runtime/core/dispatch_table.h"

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

const std::vector<std::string> kAll = {"X", "REFERENCE", "CPU", "AUTO", "BATCH", "HETERO"};

std::string Print(const DispatchTarget& target) {
  return absl::StrCat(target.plugin, " ", absl::StrJoin(target.properties, " ", absl::PairFormatter("=")));
}

// The patterns whose whole-name match a name has.
std::vector<int> RowsOf(const std::string& name) {
  std::vector<int> rows;
  const std::vector<DispatchEntry> table = BuildDispatchEntries();
  for (size_t i = 0; i < table.size(); ++i) {
    if (RE2::FullMatch(name, *table[i].pattern)) rows.push_back(static_cast<int>(i));
  }
  return rows;
}

TEST(DispatchTableTest, TheFirstRowThatMatchesIsTheMeaning) {
  // A virtual name is also of the form of a device, which therefore comes last.
  EXPECT_THAT(RowsOf(""), ElementsAre(0));
  EXPECT_THAT(RowsOf("(CPU)"), ElementsAre(1));
  EXPECT_THAT(RowsOf("AUTO"), ElementsAre(2, 7));
  EXPECT_THAT(RowsOf("AUTO:CPU,-X"), ElementsAre(2));
  EXPECT_THAT(RowsOf("MULTI"), ElementsAre(3, 7));
  EXPECT_THAT(RowsOf("MULTI:CPU,X.0"), ElementsAre(3));
  EXPECT_THAT(RowsOf("BATCH"), ElementsAre(4, 7));
  EXPECT_THAT(RowsOf("BATCH:CPU(4)"), ElementsAre(4));
  EXPECT_THAT(RowsOf("HETERO"), ElementsAre(5, 7));
  EXPECT_THAT(RowsOf("HETERO:CPU,X"), ElementsAre(5));
  EXPECT_THAT(RowsOf("CPU.0"), ElementsAre(6));
  EXPECT_THAT(RowsOf("CPU.0.1"), ElementsAre(6));
  EXPECT_THAT(RowsOf("CPU"), ElementsAre(7));
  EXPECT_THAT(RowsOf("AUTOMATIC"), ElementsAre(7));
  for (const char* name : {"AUTO:", ".0", "CPU.", "CPU:X", "CPU(4)", "(X)"})
    EXPECT_THAT(RowsOf(name), ElementsAre()) << name;
}

TEST(DispatchTableTest, NamesBecomePluginsAndProperties) {
  struct Case {
    const char* name;
    const char* meaning;
  };
  const Case cases[] = {
      {"", "CPU "},
      {"(CPU)", "CPU "},
      {"CPU", "CPU "},
      {"X", "X "},
      {"X.1", "X DEVICE_ID=1"},
      {"X.0.1", "X DEVICE_ID=0.1"},
      {"AUTO", "AUTO "},
      {"AUTO:X,-CPU", "AUTO MULTI_DEVICE_PRIORITIES=X,-CPU"},
      {"AUTO:-NOT_THERE", "AUTO MULTI_DEVICE_PRIORITIES=-NOT_THERE"},
      {"MULTI", "AUTO PERFORMANCE_HINT=CUMULATIVE_THROUGHPUT"},
      {"MULTI:X.0,CPU(2)", "AUTO MULTI_DEVICE_PRIORITIES=X.0,CPU(2) PERFORMANCE_HINT=CUMULATIVE_THROUGHPUT"},
      {"BATCH", "BATCH "},
      {"BATCH:CPU(4)", "BATCH MULTI_DEVICE_PRIORITIES=CPU(4)"},
      {"HETERO:X,CPU", "HETERO MULTI_DEVICE_PRIORITIES=X,CPU"},
      {"HETERO:BATCH,MULTI", "HETERO MULTI_DEVICE_PRIORITIES=BATCH,MULTI"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto target = GetInternalPluginName(c.name, kAll);
    ASSERT_OK(target.status());
    EXPECT_EQ(Print(*target), c.meaning);
  }
}

TEST(DispatchTableTest, AnEmptyNamePrefersCpuThenReference) {
  EXPECT_EQ(GetInternalPluginName("", {"A", "REFERENCE", "CPU"})->plugin, "CPU");
  EXPECT_EQ(GetInternalPluginName("", {"A", "REFERENCE"})->plugin, "REFERENCE");
  EXPECT_EQ(GetInternalPluginName("", {"BATCH", "B", "A"})->plugin, "B");
  EXPECT_EQ(GetInternalPluginName("", {"B"})->name.device.name, "B");
  for (const std::vector<std::string>& none : {std::vector<std::string>(), std::vector<std::string>{"AUTO"}}) {
    EXPECT_THAT(GetInternalPluginName("", none),
                StatusIs(absl::StatusCode::kNotFound, HasSubstr("No device is registered")));
  }
}

TEST(DispatchTableTest, UnknownDevicesAreNotFound) {
  EXPECT_THAT(GetInternalPluginName("GPU", {"B", "A"}),
              StatusIs(absl::StatusCode::kNotFound, "No device \"GPU\" is registered; there are: B, A"));
  EXPECT_THAT(GetInternalPluginName("cpu", kAll), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(
      GetInternalPluginName("GPU.0", {}),
      StatusIs(absl::StatusCode::kNotFound, "No device \"GPU\" is registered (asked for: \"GPU.0\"); there are: none"));
  for (const char* name : {"HETERO:CPU,GPU", "MULTI:GPU", "BATCH:GPU.0(4)", "AUTO:CPU,GPU"}) {
    EXPECT_THAT(GetInternalPluginName(name, kAll),
                StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("\"GPU\""), HasSubstr(name))));
  }
  EXPECT_THAT(GetInternalPluginName("(CPU)", {"A"}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"CPU\"")));
}

TEST(DispatchTableTest, VirtualDevicesWithoutPluginsAreUnimplemented) {
  for (const char* name : {"AUTO", "BATCH:A(4)", "HETERO:A", "MULTI:A", "MULTI", "BATCH"}) {
    const std::string device = std::string(name).substr(0, std::string(name).find(':'));
    EXPECT_THAT(GetInternalPluginName(name, {"A"}),
                StatusIs(absl::StatusCode::kUnimplemented,
                         AllOf(HasSubstr(absl::StrCat("Virtual device ", device, " has no plugin in this build")),
                               HasSubstr(absl::StrCat("asked for: \"", name, "\"")))));
  }
  // Neither are they behind another one.
  EXPECT_THAT(GetInternalPluginName("HETERO:A,BATCH", {"A", "HETERO"}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Virtual device BATCH")));
}

TEST(DispatchTableTest, WhatIsNoNameOrExcludesIsRefused) {
  for (const char* name : {"CPU,X", "HETERO:", " CPU", "BATCH:CPU,X"}) {
    EXPECT_THAT(GetInternalPluginName(name, kAll),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Illegal device name")))
        << name;
  }
  for (const char* name : {"-CPU", "-X.0", "HETERO:CPU,-X", "BATCH:-CPU"}) {
    EXPECT_THAT(GetInternalPluginName(name, kAll), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("excludes")))
        << name;
  }
}

}  // namespace
}  // namespace burin

#include "tools/query/device_report.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/core.h"
#include "runtime/dev/properties.h"
#include "testing/gtest/status_matchers.h"

namespace burin::query {
namespace {

using ::testing::HasSubstr;

const PropertyReport& Find(const DeviceReport& report, const std::string& name) {
  static const auto* const none = new PropertyReport();
  const auto it = std::find_if(report.properties.begin(), report.properties.end(),
                               [&](const PropertyReport& property) { return property.name == name; });
  return it == report.properties.end() ? *none : *it;
}

TEST(DeviceReportTest, HasEveryPropertyWithItsPresentValue) {
  Core core;
  ASSERT_OK(core.SetProperty("REFERENCE", {perf_count(true)}));
  ASSERT_OK_AND_ASSIGN(const DeviceReport report, QueryDevice(core, "REFERENCE"));
  EXPECT_EQ(report.name, "REFERENCE");
  EXPECT_EQ(report.versions.count("REFERENCE"), 1u);
  EXPECT_EQ(report.properties.size(), core.GetProperty("REFERENCE", supported_properties).value().size());
  for (const PropertyReport& property : report.properties) {
    EXPECT_THAT(core.GetProperty("REFERENCE", property.name), IsOkAndHolds(property.value));
    EXPECT_NE(property.documentation, "") << property.name;
    EXPECT_EQ(property.access == "RW", property.allowed != "") << property.name;
  }
  const PropertyReport& counts = Find(report, "PERF_COUNT");
  EXPECT_EQ(counts.access, "RW");
  EXPECT_EQ(counts.value, "YES");
  EXPECT_EQ(counts.default_value, "NO");
  EXPECT_EQ(Find(report, "FULL_DEVICE_NAME").access, "RO");
}

TEST(DeviceReportTest, AnEmptyNameIsThePreferredDevice) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const DeviceReport report, QueryDevice(core, ""));
  EXPECT_EQ(report.name, "CPU");
  EXPECT_EQ(Find(report, "FULL_DEVICE_NAME").access, "RO");
}

TEST(DeviceReportTest, AnUnknownDeviceIsTheCoresError) {
  Core core;
  EXPECT_THAT(QueryDevice(core, "NONE"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("REFERENCE")));
}

DeviceReport Sample() {
  DeviceReport report;
  report.name = "X";
  report.versions["X"] = {"1.2", "plugin x"};
  report.properties.push_back({"FACT", "RO", "7", "integer", "Says seven.", "", ""});
  report.properties.push_back({"KNOB", "RW", "YES", "boolean", "Turns it.", "YES, NO", "NO"});
  report.properties.push_back({"OWN", "RO", "text", "", "", "", ""});
  return report;
}

TEST(DeviceReportTest, Text) {
  EXPECT_EQ(ToText(Sample()),
            "device X\n"
            "  X 1.2 (plugin x)\n"
            "properties\n"
            "  RO FACT = \"7\"\n"
            "       Says seven.\n"
            "  RW KNOB = \"YES\"\n"
            "       Turns it.\n"
            "       boolean: YES, NO; default \"NO\"\n"
            "  RO OWN = \"text\"\n");
}

TEST(DeviceReportTest, Json) {
  EXPECT_EQ(ToJson(Sample()).dump(),
            R"({"name":"X","versions":{"X":{"build":"1.2","description":"plugin x"}},"properties":[)"
            R"({"name":"FACT","access":"RO","value":"7","type":"integer","documentation":"Says seven."},)"
            R"({"name":"KNOB","access":"RW","value":"YES","type":"boolean","documentation":"Turns it.",)"
            R"("allowed":"YES, NO","default":"NO"},{"name":"OWN","access":"RO","value":"text"}]})");
}

}  // namespace
}  // namespace burin::query

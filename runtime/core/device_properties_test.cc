#include "runtime/core/device_properties.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(DevicePropertiesTest, ValuesOfEveryKindBecomeText) {
  ASSERT_OK_AND_ASSIGN(const auto devices,
                       ParseDeviceProperties("DEVICE_PROPERTIES", R"( {"CPU": {"A": "x", "B": true, "C": false, "D": -7,
                           "E": 0.5}, "GPU.0.1": {}, "HETERO": {"A": "\u00e4"}} )"));
  EXPECT_THAT(devices, UnorderedElementsAre(
                           Pair("CPU", UnorderedElementsAre(Pair("A", "x"), Pair("B", "YES"), Pair("C", "NO"),
                                                            Pair("D", "-7"), Pair("E", "0.5"))),
                           Pair("GPU.0.1", IsEmpty()), Pair("HETERO", UnorderedElementsAre(Pair("A", "\xc3\xa4")))));
  EXPECT_THAT(ParseDeviceProperties("DEVICE_PROPERTIES", "{}").value(), IsEmpty());
  EXPECT_THAT(ParsePropertiesOfOneDevice("DEVICE_PROPERTIES_CPU", R"({"A": 1})").value(),
              UnorderedElementsAre(Pair("A", "1")));
}

TEST(DevicePropertiesTest, PrintedTextReadsBack) {
  const DevicePropertyMap devices = {{"CPU", {{"A", "x\"y\n"}, {"B", ""}}}, {"GPU.0", {}}, {"HETERO", {{"C", "1"}}}};
  EXPECT_EQ(ParseDeviceProperties("P", PrintDeviceProperties(devices)).value(), devices);
  EXPECT_EQ(PrintDeviceProperties({}), "{}");
  EXPECT_EQ(ParsePropertiesOfOneDevice("P", PrintPropertiesOfOneDevice(devices.at("CPU"))).value(), devices.at("CPU"));
  EXPECT_EQ(PrintPropertiesOfOneDevice({}), "{}");
  EXPECT_OK(ParseDeviceProperties("P", PrintDeviceProperties({{"CPU", {{"A", "\xff"}}}})).status());
}

TEST(DevicePropertiesTest, AnythingElseIsRefused) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"", "expected a JSON object"},
      {"CPU", "expected a JSON object"},
      {"{", "expected a JSON object"},
      {"{} {}", "expected a JSON object"},
      {"null", "expected a JSON object"},
      {"[]", "expected a JSON object"},
      {"\"CPU\"", "expected a JSON object"},
      {"{\"CPU\": {\"A\": \"\xff\"}}", "expected a JSON object"},
      {R"({"CPU": 1})", "expected an object of properties for \"CPU\""},
      {R"({"CPU": []})", "expected an object of properties for \"CPU\""},
      {R"({"CPU": {"A": null}})", "expected a string, a number or a boolean for \"A\""},
      {R"({"CPU": {"A": []}})", "no object or list in the place of a value"},
      {R"({"CPU": {"A": {"B": "C"}}})", "no object or list in the place of a value"},
      {R"({"CPU": {"A": "1", "A": "2"}})", "\"A\" occurs twice"},
      {R"({"CPU": {"": "1", "": "2"}})", "\"\" occurs twice"},
      {R"({"CPU": {}, "CPU": {}})", "\"CPU\" occurs twice"},
      {R"({"": {}})", "the name of one device"},
      {R"({"-CPU": {}})", "the name of one device"},
      {R"({"HETERO:CPU": {}})", "the name of one device"},
      {R"({"C PU": {}})", "Illegal device name"},
      {R"({"CPU": {"DEVICE_PROPERTIES": "{}"}})", "cannot hold \"DEVICE_PROPERTIES\""},
      {R"({"CPU": {"DEVICE_PROPERTIES_GPU": "{}"}})", "cannot hold \"DEVICE_PROPERTIES_GPU\""},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ParseDeviceProperties("DEVICE_PROPERTIES", c.text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("Property DEVICE_PROPERTIES: "), HasSubstr(c.message))))
        << c.text;
  }
  EXPECT_THAT(ParsePropertiesOfOneDevice("DEVICE_PROPERTIES_CPU", R"({"CPU": {"A": "1"}})"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Property DEVICE_PROPERTIES_CPU: ")));
  EXPECT_THAT(ParsePropertiesOfOneDevice("DEVICE_PROPERTIES_CPU", R"({"A": 1, "A": 1})"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"A\" occurs twice")));
}

TEST(DevicePropertiesTest, DeepNestingIsRefused) {
  for (const std::string& open : {std::string("["), std::string("{\"a\":")}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_THAT(ParseDeviceProperties("P", text), StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace burin

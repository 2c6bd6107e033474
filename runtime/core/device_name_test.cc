#include "runtime/core/device_name.h"

#include <iterator>
#include <random>
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
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string Print(const DeviceReference& device) {
  return absl::StrCat(device.excluded ? "not " : "", device.NameAndId(),
                      device.count == 0 ? "" : absl::StrCat(" x", device.count));
}

std::string Print(const ParsedDeviceName& parsed) {
  std::vector<std::string> members;
  for (const DeviceReference& member : parsed.members) members.push_back(Print(member));
  return absl::StrCat(Print(parsed.device), " [", absl::StrJoin(members, ", "), "]");
}

struct Accepted {
  const char* text;
  const char* means;
};

TEST(DeviceNameTest, TakesNamesApart) {
  const Accepted cases[] = {
      {"", " []"},
      {"(CPU)", "CPU []"},
      {"CPU", "CPU []"},
      {"cpu", "cpu []"},
      {"_x", "_x []"},
      {"MY-DEVICE_2", "MY-DEVICE_2 []"},
      {"CPU.0", "CPU.0 []"},
      {"GPU.0.1", "GPU.0.1 []"},
      {"X.1.2-ma2480", "X.1.2-ma2480 []"},
      {"-GPU", "not GPU []"},
      {"-GPU.1", "not GPU.1 []"},
      {"AUTO", "AUTO []"},
      {"AUTOMATIC", "AUTOMATIC []"},
      {"BATCH", "BATCH []"},
      {"AUTO:CPU", "AUTO [CPU]"},
      {"AUTO:-GPU", "AUTO [not GPU]"},
      {"AUTO:CPU,-GPU.1", "AUTO [CPU, not GPU.1]"},
      {"AUTO:-CPU,-GPU", "AUTO [not CPU, not GPU]"},
      {"MULTI:CPU,GPU", "MULTI [CPU, GPU]"},
      {"MULTI:CPU(2),GPU.0(4)", "MULTI [CPU x2, GPU.0 x4]"},
      {"MULTI:CPU(2),GPU", "MULTI [CPU x2, GPU]"},
      {"HETERO:CPU,REFERENCE", "HETERO [CPU, REFERENCE]"},
      {"HETERO:GPU.0.1,GPU.1,CPU", "HETERO [GPU.0.1, GPU.1, CPU]"},
      {"HETERO:BATCH,CPU", "HETERO [BATCH, CPU]"},
      {"BATCH:CPU", "BATCH [CPU]"},
      {"BATCH:CPU(4)", "BATCH [CPU x4]"},
      {"BATCH:GPU.1(16)", "BATCH [GPU.1 x16]"},
      {"BATCH:CPU(2147483647)", "BATCH [CPU x2147483647]"},
      {"BATCH:CPU(007)", "BATCH [CPU x7]"},
  };
  for (const Accepted& c : cases) {
    SCOPED_TRACE(c.text);
    const auto parsed = ParseDeviceName(c.text);
    ASSERT_OK(parsed.status());
    EXPECT_EQ(Print(*parsed), c.means);
    const std::string text = c.text;
    const size_t colon = text.find(':');
    EXPECT_EQ(parsed->list, colon == std::string::npos ? "" : text.substr(colon + 1));
  }
}

struct Refused {
  const char* text;
  int character;  // Counted from 1.
  const char* expected;
};

TEST(DeviceNameTest, RefusalsTellTheCharacterAndWhatIsExpected) {
  const Refused cases[] = {
      {" ", 1, "a device name, found \" \""},
      {" CPU", 1, "a device name"},
      {"CPU ", 4, "'.' or the end"},
      {"0", 1, "a device name"},
      {".0", 1, "a device name"},
      {"-", 2, "a device name, found the end"},
      {"--GPU", 2, "a device name"},
      {"CPU.", 5, "a device id, found the end"},
      {"CPU.0 ", 6, "the end"},
      {"CPU.0:GPU", 6, "only AUTO, BATCH, HETERO and MULTI take a list"},
      {"CPU:GPU", 4, "only AUTO, BATCH, HETERO and MULTI take a list"},
      {"auto:CPU", 5, "only AUTO, BATCH, HETERO and MULTI take a list"},
      {"CPU,GPU", 4, "the end"},
      {"CPU(4)", 4, "the end"},
      {"(GPU)", 1, "a device name, found \"(\""},
      {"(CPU", 1, "a device name"},
      {":CPU", 1, "a device name, found \":\""},
      {"AUTO:", 6, "a device name, found the end"},
      {"AUTO ", 5, "':' or the end"},
      {"-AUTO:CPU", 6, "':' or the end"},
      {"HETERO:,CPU", 8, "a device name, found \",\""},
      {"HETERO:CPU,", 12, "a device name, found the end"},
      {"HETERO:CPU,,GPU", 12, "a device name"},
      {"HETERO:CPU, GPU", 12, "a device name, found \" \""},
      {"HETERO:MULTI:CPU", 13, "',', '(' or the end, found \":\""},
      {"HETERO:CPU;GPU", 11, "',', '(' or the end"},
      {"BATCH:CPU(4", 12, "')', found the end"},
      {"BATCH:CPU(", 11, "a number from 1 to 2147483647, found the end"},
      {"BATCH:CPU()", 11, "a number from 1 to 2147483647, found \")\""},
      {"BATCH:CPU(0)", 11, "a number from 1 to 2147483647"},
      {"BATCH:CPU(-1)", 11, "a number from 1 to 2147483647"},
      {"BATCH:CPU(four)", 11, "a number from 1 to 2147483647"},
      {"BATCH:CPU(2147483648)", 11, "a number from 1 to 2147483647"},
      {"BATCH:CPU(99999999999999999999)", 11, "a number from 1 to 2147483647"},
      {"BATCH:CPU(4))", 13, "the end: BATCH takes one device, found \")\""},
      {"BATCH:CPU(4)x", 13, "the end: BATCH takes one device"},
      {"BATCH:CPU)", 10, "the end: BATCH takes one device, found \")\""},
      {"BATCH:CPU,GPU", 10, "the end: BATCH takes one device, found \",\""},
      {"BATCH:CPU(4),", 13, "the end: BATCH takes one device"},
      {"MULTI:CPU(2),", 14, "a device name, found the end"},
      {"MULTI:CPU(2)GPU", 13, "',' or the end, found \"G\""},
      {"MULTI:CPU(2)(3)", 13, "',' or the end"},
      {"MULTI:CPU(2.5)", 12, "')', found \".\""},
  };
  for (const Refused& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_THAT(
        ParseDeviceName(c.text),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 AllOf(HasSubstr(absl::StrCat("at character ", c.character, " expected ")), HasSubstr(c.expected))));
  }
}

TEST(DeviceNameTest, VirtualDevicesHaveNoIds) {
  for (const char* name : {"AUTO.0", "BATCH.0:CPU", "HETERO.1", "MULTI.0:CPU,GPU"}) {
    EXPECT_THAT(ParseDeviceName(name), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has no ids"))) << name;
  }
}

TEST(DeviceNameTest, HostileNamesAreRefusedWithAMessageThatCanBePrinted) {
  const std::string nested = absl::StrJoin(std::vector<std::string>(1000, "HETERO:"), "");
  const std::string parentheses = "BATCH:CPU" + std::string(3000, '(');
  const std::string hostile[] = {std::string(1 << 20, 'A'),
                                 std::string(kMaxDeviceNameBytes + 1, 'A'),
                                 std::string(1 << 20, '('),
                                 "HETERO:" + std::string(1 << 20, ','),
                                 nested,
                                 nested.substr(0, 700),
                                 parentheses,
                                 std::string("CPU\0", 4),
                                 std::string("\0", 1),
                                 "CPU\n",
                                 "CPU\x1b[31m",
                                 "\xff\xfe",
                                 "C\xc3\x9c"};
  for (const std::string& text : hostile) {
    const absl::Status status = ParseDeviceName(text).status();
    SCOPED_TRACE(QuotedName(text));
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
    const std::string message(status.message());
    EXPECT_LT(message.size(), 1000u);
    for (char c : message) EXPECT_TRUE(c >= ' ' && c <= '~') << static_cast<int>(c);
  }
  EXPECT_OK(ParseDeviceName(std::string(kMaxDeviceNameBytes, 'A')).status());
}

// Writes a name as the grammar has it.
std::string Written(const ParsedDeviceName& parsed) {
  const auto member = [](const DeviceReference& device) {
    return absl::StrCat(device.excluded ? "-" : "", device.NameAndId(),
                        device.count == 0 ? "" : absl::StrCat("(", device.count, ")"));
  };
  std::string text = member(parsed.device);
  for (size_t i = 0; i < parsed.members.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? ":" : ",", member(parsed.members[i]));
  }
  return text;
}

TEST(DeviceNameTest, RandomTextIsRefusedOrWhatItSays) {
  const char* const pieces[] = {"AUTO", "BATCH", "HETERO", "MULTI", "CPU", "G", "_",  "-",
                                ".",    ":",     ",",      "(",     ")",   "1", "20", " "};
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::minstd_rand random(seed);
  int accepted = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (unsigned length = 1 + random() % 8; length > 0; --length) text += pieces[random() % std::size(pieces)];
    const auto parsed = ParseDeviceName(text);
    if (!parsed.ok()) {
      ASSERT_THAT(parsed, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Illegal device name"))) << text;
      continue;
    }
    ++accepted;
    ASSERT_EQ(Written(*parsed), text == "(CPU)" ? "CPU" : text);
  }
  EXPECT_GT(accepted, 1000);
}

TEST(DeviceNameTest, ListsOfAPropertyHaveTheSameGrammar) {
  ASSERT_OK_AND_ASSIGN(const auto members, ParseDeviceList("HETERO", "CPU(2),GPU.1"));
  ASSERT_THAT(members, SizeIs(2));
  EXPECT_EQ(Print(members[0]), "CPU x2");
  EXPECT_EQ(Print(members[1]), "GPU.1");
  EXPECT_THAT(ParseDeviceList("BATCH", "CPU,GPU"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ParseDeviceList("HETERO", ""),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at character 1 expected a device name")));
  EXPECT_THAT(ParseDeviceList("HETERO", std::string(1 << 20, 'A')), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(DeviceNameTest, NamesToRegisterAreWithoutIdOrList) {
  for (const char* name : {"CPU", "HETERO", "MY-DEVICE", "_2"}) EXPECT_OK(CheckDeviceName(name)) << name;
  for (const char* name : {"", "CPU.0", ".", "-CPU", "CPU:", "A,B", "A B", "A(1)", "2A", "(CPU)"}) {
    EXPECT_THAT(CheckDeviceName(name), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at character ")))
        << name;
  }
  EXPECT_THAT(CheckDeviceName(std::string(1 << 20, 'A')), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(DeviceNameTest, QuotedNamesAreShortAndPrintable) {
  EXPECT_EQ(QuotedName("CPU"), "\"CPU\"");
  EXPECT_EQ(QuotedName("a\n\"b"), "\"a\\n\\\"b\"");
  EXPECT_THAT(QuotedName(std::string(5000, 'x')),
              AllOf(HasSubstr("(5000 characters)"), Not(HasSubstr(std::string(81, 'x')))));
}

TEST(DeviceNameTest, KnowsTheVirtualDevices) {
  for (const char* name : {"AUTO", "BATCH", "HETERO", "MULTI"}) EXPECT_TRUE(IsVirtualDevice(name)) << name;
  for (const char* name : {"", "CPU", "auto", "AUTO:", "AUTOMATIC"}) EXPECT_FALSE(IsVirtualDevice(name)) << name;
}

}  // namespace
}  // namespace burin

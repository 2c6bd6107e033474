#include "runtime/core/plugins_xml.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

std::string Folder() {
  const std::string folder = ::testing::TempDir() + "/plugins_xml_test";
  std::filesystem::create_directories(folder);
  return std::filesystem::canonical(folder).string();
}

std::string Write(const std::string& text) {
  const std::string path = Folder() + "/plugins.xml";
  EXPECT_OK(WriteFileAtomically(path, text));
  return path;
}

std::string WithPlugins(const std::string& plugins) { return "<burin><plugins>" + plugins + "</plugins></burin>"; }

TEST(PluginsXmlTest, ReadsDevicesInTheirOrder) {
  const std::string path = Write(R"(<?xml version="1.0"?>
<!-- what this machine has -->
<any_root_name>
  <plugins>
    <plugin name="B" location="/opt/b/libb.so">
      <properties>
        <property key="PERF_COUNT" value="YES"/>
        <property key="EMPTY" value=""/>
        <property key="JSON" value="{&quot;a&quot;:1}"/>
      </properties>
    </plugin>
    <plugin location="/opt/a/liba.so" name="A"></plugin>
    <plugin name="C" location="/opt/c/libc.so"><properties/></plugin>
  </plugins>
</any_root_name>
)");
  ASSERT_OK_AND_ASSIGN(const std::vector<PluginDescription> plugins, ReadPluginsXml(path));
  ASSERT_THAT(plugins, SizeIs(3));
  EXPECT_EQ(plugins[0].device_name, "B");
  EXPECT_EQ(plugins[0].library, "/opt/b/libb.so");
  EXPECT_EQ(plugins[0].create, nullptr);
  EXPECT_EQ(plugins[0].source, path);
  EXPECT_THAT(plugins[0].defaults,
              UnorderedElementsAre(Pair("PERF_COUNT", "YES"), Pair("EMPTY", ""), Pair("JSON", "{\"a\":1}")));
  EXPECT_EQ(plugins[1].device_name, "A");
  EXPECT_EQ(plugins[1].library, "/opt/a/liba.so");
  EXPECT_THAT(plugins[1].defaults, IsEmpty());
  EXPECT_EQ(plugins[2].device_name, "C");
  EXPECT_THAT(plugins[2].defaults, IsEmpty());
}

TEST(PluginsXmlTest, AFileMayAddNothing) {
  EXPECT_THAT(ReadPluginsXml(Write(WithPlugins(""))).value(), IsEmpty());
  EXPECT_THAT(ReadPluginsXml(Write("\xef\xbb\xbf<r><plugins/></r>")).value(), IsEmpty());
}

TEST(PluginsXmlTest, LibrariesAreLocatedFromTheFilesFolder) {
  const std::string folder = Folder();
  EXPECT_OK(WriteFileAtomically(folder + "/libbeside.so", "x"));
  std::filesystem::create_directories(folder + "/sub");
  const std::string path = Write(WithPlugins(R"(<plugin name="A" location="sub/../sub/liba.so"/>
                                                <plugin name="B" location="./libbeside.so"/>
                                                <plugin name="C" location="beside"/>
                                                <plugin name="D" location="libbeside.so"/>
                                                <plugin name="E" location="elsewhere"/>
                                                <plugin name="F" location="/abs/libf.so"/>)"));
  ASSERT_OK_AND_ASSIGN(const std::vector<PluginDescription> plugins, ReadPluginsXml(path));
  ASSERT_THAT(plugins, SizeIs(6));
  EXPECT_EQ(plugins[0].library, folder + "/sub/liba.so");
  EXPECT_EQ(plugins[1].library, folder + "/libbeside.so");
  EXPECT_EQ(plugins[2].library, folder + "/libbeside.so");
  EXPECT_EQ(plugins[3].library, folder + "/libbeside.so");
  EXPECT_EQ(plugins[4].library, "libelsewhere.so");
  EXPECT_EQ(plugins[5].library, "/abs/libf.so");
}

struct Defect {
  const char* name;
  std::string text;
  int line;
  const char* message;
};

TEST(PluginsXmlTest, EachDefectIsNamedWithFileLineAndDevice) {
  const std::string open = "<r>\n<plugins>\n";
  const std::string close = "\n</plugins></r>\n";
  const std::string a = "<plugin name=\"A\" location=\"/a.so\">\n";
  const Defect defects[] = {
      {"empty file", "", 1, "Not well-formed XML: No document element found"},
      {"no XML", "hello", 1, "Not well-formed XML"},
      {"unclosed", "<r>\n<plugins>\n", 2, "Not well-formed XML"},
      {"mismatched", "<r>\n<plugins>\n</r>\n</plugins>", 3, "Not well-formed XML"},
      {"bad attribute", open + "<plugin name=A/>" + close, 3, "Not well-formed XML"},
      {"two roots", "<r><plugins/></r>\n<r><plugins/></r>", 2, "Expected one root element"},
      {"no plugins", "<r/>", 1, "Missing element <plugins>"},
      {"other list", "<r>\n<devices/></r>", 2, "Unexpected element \"devices\", expected <plugins>"},
      {"second list", "<r><plugins/>\n<plugins/></r>", 2, "nothing besides one element <plugins>"},
      {"text", "<r><plugins>\nhello</plugins></r>", 1, "Unexpected text \"\\nhello\""},
      {"attribute of root", "<r version=\"1\"><plugins/></r>", 1, "Unknown attribute \"version\" of <r>"},
      {"attribute of plugins", "<r>\n<plugins x=\"1\"/></r>", 2, "Unknown attribute \"x\" of <plugins>"},
      {"other element", open + "<device name=\"A\"/>" + close, 3, "Unexpected element \"device\", expected <plugin>"},
      {"no name", open + "<plugin location=\"/a.so\"/>" + close, 3, "Missing attribute \"name\" of <plugin>"},
      {"empty name", open + "<plugin name=\"\" location=\"/a\"/>" + close, 3, "Empty attribute \"name\" of <plugin>"},
      {"no location", open + "<plugin name=\"A\"/>" + close, 3,
       "Missing attribute \"location\" of <plugin>, device \"A\""},
      {"empty location", open + "<plugin name=\"A\" location=\"\"/>" + close, 3,
       "Empty attribute \"location\" of <plugin>, device \"A\""},
      {"name with id", open + "<plugin name=\"A.0\" location=\"/a\"/>" + close, 3,
       "at character 2 expected a letter, a digit, '_', '-' or the end, found \".\", in \"A.0\", device \"A.0\""},
      {"name with list", open + "<plugin name=\"A:B\" location=\"/a\"/>" + close, 3, "Illegal device name"},
      {"attribute twice", open + "<plugin name=\"A\" name=\"B\" location=\"/a\"/>" + close, 3,
       "The attribute \"name\" of <plugin> occurs twice, device \"A\""},
      {"unknown attribute", open + "<plugin name=\"A\" location=\"/a\" proxy=\"B\"/>" + close, 3,
       "Unknown attribute \"proxy\" of <plugin>, device \"A\""},
      {"device twice", open + a + "</plugin>\n" + a + "</plugin>" + close, 5, "The device occurs twice, device \"A\""},
      {"unknown part", open + a + "<priority/></plugin>" + close, 4,
       "Unexpected element \"priority\", expected <properties>, device \"A\""},
      {"text in plugin", open + a + "x</plugin>" + close, 3, "Unexpected text"},
      {"properties twice", open + a + "<properties/>\n<properties/></plugin>" + close, 5,
       "The element <properties> occurs twice, device \"A\""},
      {"other property", open + a + "<properties>\n<entry/></properties></plugin>" + close, 5,
       "Unexpected element \"entry\", expected <property>, device \"A\""},
      {"attribute of properties", open + a + "<properties x=\"\"/></plugin>" + close, 4,
       "Unknown attribute \"x\" of <properties>"},
      {"no key", open + a + "<properties><property value=\"1\"/></properties></plugin>" + close, 4,
       "Missing attribute \"key\" of <property>, device \"A\""},
      {"empty key", open + a + "<properties><property key=\"\" value=\"1\"/></properties></plugin>" + close, 4,
       "Empty attribute \"key\" of <property>, device \"A\""},
      {"no value", open + a + "<properties><property key=\"K\"/></properties></plugin>" + close, 4,
       "Missing attribute \"value\" of <property>, device \"A\""},
      {"unknown attribute of property",
       open + a + "<properties><property key=\"K\" value=\"\" type=\"int\"/></properties></plugin>" + close, 4,
       "Unknown attribute \"type\" of <property>, device \"A\""},
      {"key twice",
       open + a +
           "<properties><property key=\"K\" value=\"1\"/>\n<property key=\"K\" value=\"1\"/></properties></plugin>" +
           close,
       5, "The property \"K\" occurs twice, device \"A\""},
      {"inside a property",
       open + a + "<properties><property key=\"K\" value=\"1\">\n<x/></property></properties></plugin>" + close, 5,
       "Unexpected element \"x\", device \"A\""},
  };
  for (const Defect& defect : defects) {
    SCOPED_TRACE(defect.name);
    const std::string path = Write(defect.text);
    EXPECT_THAT(ReadPluginsXml(path),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(defect.message), HasSubstr(absl::StrCat(path, ":", defect.line)))));
  }
}

TEST(PluginsXmlTest, ExtensionsAreRefusedByName) {
  const std::string path = Write(WithPlugins(
      "\n<plugin name=\"A\" location=\"/a.so\"><extensions><extension location=\"/e.so\"/></extensions></plugin>"));
  EXPECT_THAT(ReadPluginsXml(path),
              StatusIs(absl::StatusCode::kUnimplemented, AllOf(HasSubstr("<extensions>"), HasSubstr("device \"A\""),
                                                               HasSubstr(absl::StrCat(path, ":2")))));
}

TEST(PluginsXmlTest, TheFileItself) {
  EXPECT_THAT(ReadPluginsXml("/no/such/plugins.xml"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/plugins.xml")));
  EXPECT_THAT(ReadPluginsXml(""), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(ReadPluginsXml(Folder()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(Folder())));
  EXPECT_THAT(ReadPluginsXml("/dev/zero"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("/dev/zero")));
  const std::string large = WithPlugins("<!-- " + std::string(1 << 20, ' ') + "-->");
  EXPECT_THAT(ReadPluginsXml(Write(large)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at most 1048576 bytes")));
}

TEST(PluginsXmlTest, DamagedTextIsReadOrRefused) {
  const std::string good = WithPlugins(R"(<plugin name="A" location="/a.so"><properties>
      <property key="K" value="V"/></properties></plugin><plugin name="B" location="b"/>)");
  ASSERT_OK(ReadPluginsXml(Write(good)).status());
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::minstd_rand random(seed);
  const std::string path = Folder() + "/damaged.xml";
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      const size_t at = random() % text.size();
      const size_t length = random() % 20;
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, length);
          break;
        default:
          text.insert(at, good.substr(random() % good.size(), length));
      }
      text += ' ';
    }
    std::ofstream(path, std::ios::binary) << text;
    const auto plugins = ReadPluginsXml(path);
    if (!plugins.ok()) {
      ASSERT_THAT(plugins, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(path))) << text;
      continue;
    }
    for (const PluginDescription& plugin : *plugins) EXPECT_FALSE(plugin.device_name.empty() || plugin.library.empty());
  }
}

TEST(PluginsXmlTest, HostileTextIsRefused) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_THAT(ReadPluginsXml(Write(deep)), StatusIs(absl::StatusCode::kInvalidArgument));
  for (int i = 0; i < 100000; ++i) deep += "</a>";
  EXPECT_THAT(ReadPluginsXml(Write(deep)), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadPluginsXml(Write(std::string(1000, '\0'))), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadPluginsXml(Write("\xff\xfe<\0r\0/\0>\0")), StatusIs(absl::StatusCode::kInvalidArgument));
  // An entity is not expanded.
  EXPECT_THAT(ReadPluginsXml(Write("<!DOCTYPE r [<!ENTITY x SYSTEM \"/etc/hostname\">]>" +
                                   WithPlugins("<plugin name=\"A&x;\" location=\"/a\"/>"))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("A&x;")));
  const absl::Status status =
      ReadPluginsXml(Write(WithPlugins("<plugin name=\"" + std::string(1000000, 'A') + "\" location=\"/a\"/>")))
          .status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_LT(status.message().size(), 2000u);
}

}  // namespace
}  // namespace burin

#include "tools/options/options.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::options {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Option kTable[] = {
    {"m", "FILE", "The model."},
    {"data", "DIR", "A folder of data, and a text that is long enough to be wrapped because it goes on and on.", true},
    {"pc", nullptr, "Prints counters."},
};

absl::StatusOr<Options> Parse(const std::vector<std::string>& arguments) {
  return Options::Parse(kTable, arguments, {{"nstreams", "there are no streams"}});
}

TEST(OptionsTest, AllSpellings) {
  ASSERT_OK_AND_ASSIGN(Options options, Parse({"-m", "a", "--data=b", "-data", "-c", "-pc"}));
  EXPECT_EQ(options.Text("m"), "a");
  EXPECT_THAT(options.All("data"), ElementsAre("b", "-c"));
  EXPECT_TRUE(options.Has("pc"));
  EXPECT_FALSE(options.help());
  EXPECT_TRUE(Parse({"-h"})->help());
  EXPECT_EQ(Parse({"-m=x=y"})->Text("m"), "x=y");
  EXPECT_EQ(Parse({})->Text("m", "fallback"), "fallback");
}

TEST(OptionsTest, RefusalsNameTheOption) {
  const auto refused = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_THAT(Parse({"-x"}).status(), refused("Unknown option -x; there are: -m, -data, -pc, -h"));
  EXPECT_THAT(Parse({"-nstreams", "2"}).status(), refused("-nstreams is not accepted: there are no streams"));
  EXPECT_THAT(Parse({"-m"}).status(), refused("-m needs a value: FILE"));
  EXPECT_THAT(Parse({"-m", "a", "-m", "b"}).status(), refused("-m is given twice"));
  EXPECT_THAT(Parse({"-pc=1"}).status(), refused("-pc takes no value"));
  EXPECT_THAT(Parse({"-pc", "1"}).status(), refused("found \"1\""));
  EXPECT_THAT(Parse({"-"}).status(), refused("found \"-\""));
}

TEST(OptionsTest, NumbersAreCheckedAgainstTheirRange) {
  ASSERT_OK_AND_ASSIGN(Options options, Parse({"-m", "12", "-data", "nan"}));
  EXPECT_EQ(options.Integer("m", 0, 0, 12).value(), 12);
  EXPECT_THAT(options.Integer("m", 0, 0, 11),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-m: expected an integer in [0, 11]")));
  EXPECT_THAT(options.Real("data", 0, 0, 1), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(options.Real("absent", 0.5, 0, 1).value(), 0.5);
}

TEST(OptionsTest, HelpListsEveryOptionWithinTheColumns) {
  const std::string text = HelpText("tool -m FILE", kTable);
  for (const char* part : {"Usage: tool -m FILE", "-m FILE", "-data DIR", "-pc", "-h"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  for (absl::string_view line : absl::StrSplit(text, '\n')) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace burin::options

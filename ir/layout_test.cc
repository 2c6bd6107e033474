#include "ir/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(LayoutTest, ParsesShortAndLongForms) {
  const auto printed = [](const std::string& text) -> std::string {
    const absl::StatusOr<Layout> layout = Layout::Parse(text);
    return layout.ok() ? layout->ToString() : std::string(layout.status().message());
  };
  EXPECT_EQ(printed("NCHW"), "[N,C,H,W]");
  EXPECT_EQ(printed("nchw"), "[N,C,H,W]");
  EXPECT_EQ(printed("[n, c,H,W]"), "[N,C,H,W]");
  EXPECT_EQ(printed("N...C"), "[N,...,C]");
  EXPECT_EQ(printed("...C"), "[...,C]");
  EXPECT_EQ(printed("N??C"), "[N,?,?,C]");
  EXPECT_EQ(printed("?"), "[?]");
  EXPECT_EQ(printed("..."), "[...]");
  EXPECT_EQ(printed("[batch,...,channels_2]"), "[BATCH,...,CHANNELS_2]");
  EXPECT_EQ(printed("[]"), "[]");
  EXPECT_EQ(Layout().ToString(), "[...]");
}

TEST(LayoutTest, ParseReadsWhatToStringPrints) {
  for (const char* text : {"NCHW", "N...C", "...", "?", "N?...?C", "[]", "[batch,time]"}) {
    ASSERT_OK_AND_ASSIGN(const Layout layout, Layout::Parse(text));
    EXPECT_THAT(Layout::Parse(layout.ToString()), IsOkAndHolds(layout)) << text;
  }
}

TEST(LayoutTest, RefusesMalformedTexts) {
  for (const char* text : {"", "  ", "NN", "nN", "[N,n]", "N.C", "N..C", "N...C...", "......", "[N", "N]", "[N,,C]",
                           "[,]", "N C", "[N C]", "N-C", "[[N]]", "[.]", "\xc3\xa9"}) {
    EXPECT_THAT(Layout::Parse(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
  EXPECT_THAT(Layout::Parse("NCN"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"NCN\"")));
  EXPECT_THAT(Layout::Parse(std::string(1 << 20, '?')), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(LayoutTest, FindsAxes) {
  ASSERT_OK_AND_ASSIGN(const Layout layout, Layout::Parse("N...HC"));
  EXPECT_THAT(layout.Find("N", 5), IsOkAndHolds(Optional(int64_t{0})));
  EXPECT_THAT(layout.Find("c", 5), IsOkAndHolds(Optional(int64_t{4})));
  EXPECT_THAT(layout.Find("H", 3), IsOkAndHolds(Optional(int64_t{1})));
  EXPECT_THAT(layout.Find("W", 5), IsOkAndHolds(std::optional<int64_t>()));
  EXPECT_THAT(layout.Find("", 5), IsOkAndHolds(std::optional<int64_t>()));
  EXPECT_THAT(layout.Find("N", 2), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[N,...,H,C]")));
}

TEST(LayoutTest, FitsRanks) {
  ASSERT_OK_AND_ASSIGN(const Layout fixed, Layout::Parse("NCHW"));
  EXPECT_TRUE(fixed.FitsRank(4));
  EXPECT_FALSE(fixed.FitsRank(3));
  EXPECT_FALSE(fixed.FitsRank(5));
  ASSERT_OK_AND_ASSIGN(const Layout open, Layout::Parse("N...C"));
  EXPECT_TRUE(open.FitsRank(2));
  EXPECT_TRUE(open.FitsRank(7));
  EXPECT_FALSE(open.FitsRank(1));
  EXPECT_TRUE(Layout().FitsRank(0));
}

TEST(LayoutTest, ComparesByAxes) {
  ASSERT_OK_AND_ASSIGN(const Layout a, Layout::Parse("NC"));
  ASSERT_OK_AND_ASSIGN(const Layout b, Layout::Parse("[n,c]"));
  ASSERT_OK_AND_ASSIGN(const Layout c, Layout::Parse("NC..."));
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == c);
}

}  // namespace
}  // namespace burin::ir

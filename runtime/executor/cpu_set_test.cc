#include "runtime/executor/cpu_set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace burin::executor {
namespace {

TEST(CpuSetTest, ReadsAndPrintsTheKernelsLists) {
  for (const char* text : {"", "0", "0-3", "0-3,8", "1,3,5-7", "65535"}) {
    ASSERT_TRUE(CpuSet::ParseList(text).has_value()) << text;
    EXPECT_EQ(CpuSet::ParseList(text)->ToString(), text);
    EXPECT_EQ(CpuSet::ParseList(absl::StrCat(text, "\n")), CpuSet::ParseList(text));
  }
  EXPECT_EQ(CpuSet::ParseList("4,2-3,3,2")->ToString(), "2-4");
}

TEST(CpuSetTest, RefusesWhatIsNoList) {
  for (const char* text : {"-", "-1", "1-", "3-1", "a", "1,,2", ",", "0x3", "1 2", "+1", "0--3", "0-3-4", "65536",
                           "0-99999999999999999999", "\n,"}) {
    EXPECT_FALSE(CpuSet::ParseList(text).has_value()) << text;
  }
  std::string repeated = "0-65535";
  for (int i = 0; i < 10; ++i) absl::StrAppend(&repeated, ",0-65535");
  EXPECT_FALSE(CpuSet::ParseList(repeated).has_value());
}

TEST(CpuSetTest, LeavesOutNumbersOutOfRange) {
  EXPECT_EQ(CpuSet({5, -1, 2, 2, 65536}).cpus(), (std::vector<int>{2, 5}));
  EXPECT_EQ(CpuSet::FirstCpus(-3).size(), 0);
  EXPECT_EQ(CpuSet::FirstCpus(3).ToString(), "0-2");
}

TEST(CpuSetTest, ComparesSets) {
  const CpuSet a({0, 1, 2, 5});
  const CpuSet b({1, 5, 7});
  EXPECT_EQ(a.Intersection(b), CpuSet({1, 5}));
  EXPECT_EQ(a.Difference(b), CpuSet({0, 2}));
  EXPECT_TRUE(CpuSet({1, 5}).IsSubsetOf(a));
  EXPECT_FALSE(b.IsSubsetOf(a));
  EXPECT_TRUE(CpuSet().IsSubsetOf(a));
  EXPECT_TRUE(a.Contains(5));
  EXPECT_FALSE(a.Contains(3));
  EXPECT_NE(a, b);
  EXPECT_TRUE(CpuSet().empty());
}

}  // namespace
}  // namespace burin::executor

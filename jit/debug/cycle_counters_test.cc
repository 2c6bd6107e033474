#include "jit/debug/cycle_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

TEST(CycleCountersTest, CopiesOfAKernelShareATable) {
  CycleCounters counters;
  CycleTable& table = counters.Table("fused", {"load", "store"});
  EXPECT_EQ(table.kernel(), "fused");
  EXPECT_EQ(table.parts(), (std::vector<std::string>{"load", "store"}));
  EXPECT_EQ(&counters.Table("fused", {"load", "store"}), &table);
  EXPECT_NE(&counters.Table("fused", {"load"}), &table);
  EXPECT_NE(&counters.Table("other", {"load", "store"}), &table);
}

TEST(CycleCountersTest, ReportsTheCostliestFirst) {
  CycleCounters counters;
  CycleTable& fused = counters.Table("fused", {"load", "exp", "never"});
  fused.counts()[0].ticks = 100;
  fused.counts()[0].entries = 10;
  fused.counts()[1].ticks = 600;
  fused.counts()[1].entries = 8;
  CycleTable& other = counters.Table("other", {"sum"});
  other.counts()[0].ticks = 300;
  other.counts()[0].entries = 1;
  const std::vector<std::string> lines = absl::StrSplit(counters.Report(), '\n');
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_THAT(lines[0], MatchesRegex("Ticks of the parts of kernels; an empty part takes [0-9]+"));
  EXPECT_THAT(lines[1], MatchesRegex(" +ticks +share +entries +ticks/entry  kernel: part"));
  EXPECT_THAT(lines[2], MatchesRegex(" +600 +60.0% +8 +75.0  fused: exp"));
  EXPECT_THAT(lines[3], MatchesRegex(" +300 +30.0% +1 +300.0  other: sum"));
  EXPECT_THAT(lines[4], MatchesRegex(" +100 +10.0% +10 +10.0  fused: load"));
  counters.Reset();
  EXPECT_THAT(counters.Report(), Not(HasSubstr("fused")));
  EXPECT_EQ(fused.count(1).ticks, 0u);
}

TEST(CycleCountersDeathTest, AreReportedAtTheExitWhereAsked) {
  const auto act = [](const char* value) {
    setenv("BURIN_COUNT_CYCLES", value, 1);
    const bool asked = CountCyclesAsked() && CountCyclesAsked();
    CycleTable& table = CycleCounters::Process().Table("fused", {"load"});
    table.counts()[0].ticks = 5;
    table.counts()[0].entries = 1;
    std::exit(asked ? 1 : 2);
  };
  EXPECT_EXIT(act("1"), ExitedWithCode(1), "^Ticks of [^\n]*\n[^\n]*\n[^\n]*fused: load\n$");
  EXPECT_EXIT(act("0"), ExitedWithCode(2), Not(HasSubstr("fused")));
  EXPECT_EXIT(act("2"), ExitedWithCode(2),
              AllOf(HasSubstr("BURIN_COUNT_CYCLES is neither 0 nor 1: 2"), Not(HasSubstr("fused"))));
}

}  // namespace
}  // namespace burin::jit

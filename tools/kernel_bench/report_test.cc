#include "tools/kernel_bench/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"
#include "tools/kernel_bench/measurement.h"
#include "tools/kernel_bench/shared_run.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

EntrantResult Make(Role role, const std::string& name, double cycles) {
  EntrantResult result;
  result.role = role;
  result.name = name;
  result.samples.units_per_repeat = 1000;
  for (int round = 0; round < 7; ++round) {
    result.samples.cycles.emplace_back(cycles);
    result.samples.seconds.emplace_back(cycles * 1e-9);
  }
  return result;
}

CaseResult SomeResult() {
  CaseResult result;
  result.family = "unary";
  result.name = "Exp/1x4096";
  result.unit = "elements";
  result.buffers = "2 of 16 KiB";
  result.entrants.push_back(Make(Role::kYardstick, "copy loop", 500));
  EntrantResult own = Make(Role::kOwn, "burin avx2", 2000);
  own.implementation = "unary_exp_avx2";
  own.timed = "the kernel's call alone";
  own.accuracy = Accuracy{1e-7, 2e-7, true, ""};
  own.shares.push_back({"copy loop", Comparison::Of(own.samples, result.entrants[0].samples)});
  own.samples.rejected = 3;
  result.entrants.push_back(std::move(own));
  EntrantResult peer;
  peer.role = Role::kPeer;
  peer.name = "other";
  peer.accuracy = Accuracy{5, 1, false, "element 3 is 6 instead of 1"};
  result.entrants.push_back(std::move(peer));
  result.pairs.push_back({1, 0, Comparison::OfRatios({1.5, 1.5, 1.5, 1.5, 1.5})});
  return result;
}

TEST(ReportTest, TableOfACase) {
  const std::string text = FormatCase(SomeResult());
  EXPECT_THAT(text, HasSubstr("unary/Exp/1x4096: unit: elements; buffers: 2 of 16 KiB\n"));
  EXPECT_THAT(text, ContainsRegex("contender +median us +min us +elements/cycle +accepted +rejected +of copy loop"));
  EXPECT_THAT(text, ContainsRegex("copy loop +0.500 +0.500 +2.000 +7 +0 +- +- +-\n"));
  EXPECT_THAT(text, ContainsRegex("burin avx2 +2.000 +2.000 +0.500 +7 +3 +25.0 % +1e-07 +2e-07\n"));
  EXPECT_THAT(text, HasSubstr("burin avx2: own, unary_exp_avx2; timed: the kernel's call alone\n"));
  EXPECT_THAT(text, HasSubstr("burin avx2 against copy loop: 1.500 [1.500, 1.500] faster\n"));
}

TEST(ReportTest, SharedWorkHasALine) {
  CaseResult result = SomeResult();
  SharedRun run;
  run.threads = 2;
  run.alone_seconds = 3e-6;
  run.shared_seconds = 2e-6;
  run.gain = Comparison::OfRatios({1.5, 1.5, 1.5, 1.5, 1.5});
  result.shared.push_back({"burin avx2", run});
  EXPECT_THAT(FormatCase(result),
              HasSubstr("burin avx2 by 2 threads: 2.000 us instead of 3.000 us, gain 1.500 [1.500, 1.500] faster\n"));
}

TEST(ReportTest, AWrongResultIsVoid) {
  const std::string text = FormatCase(SomeResult());
  EXPECT_THAT(text, ContainsRegex("other +- +- +- +0 +0 +- +5 +1\n"));
  EXPECT_THAT(text, HasSubstr("other: peer; VOID, the result is wrong: element 3 is 6 instead of 1\n"));
}

}  // namespace
}  // namespace burin::kernel_bench

#include "tools/kernel_bench/limits_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "jit/isa/target.h"
#include "jit/limits/core_sharing.h"
#include "jit/limits/machine_limits.h"
#include "jit/limits/sampler.h"
#include "testing/gtest/status_matchers.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

jit::MachineLimits SomeLimits() {
  jit::MachineLimits limits;
  limits.clock_ghz = 4;
  limits.limits[jit::Limit::kFma256] = {2, 1.5, 1.75, 21, 0};
  limits.limits[jit::Limit::kFmaLatency] = {4, 4.5, 4.25, 21, 0};
  limits.limits[jit::Limit::kReadDram] = {5.5, 5, 5.25, 20, 3};
  return limits;
}

TEST(LimitsReportTest, PrintsRatesUnitsAndBytesPerSecond) {
  LimitsReport report;
  report.limits = SomeLimits();
  report.measured_parameters = "zen4: fma256 2";
  const std::string text = report.ToString();
  EXPECT_THAT(text, ContainsRegex("fma_256 +2.00 +1.75 +1.50  instructions/cycle +21 / 0\n"));
  EXPECT_THAT(text, ContainsRegex("fma_latency +4.00 +4.25 +4.50  cycles "));
  EXPECT_THAT(text, ContainsRegex("read_dram +5.50 +5.25 +5.00  bytes/cycle +22.0 GB/s  20 / 3\n"));
  EXPECT_THAT(text, HasSubstr("measured as zen4: fma256 2\n"));
  EXPECT_THAT(text, HasSubstr("before: one processor alone"));
}

TEST(LimitsReportTest, PrintsPairsBeforeAndAfter) {
  jit::CoreSharing pair;
  pair.cpus[1] = 1;
  pair.alone[0] = pair.alone[1] = 4;
  pair.together[0] = pair.together[1] = 2;
  LimitsReport report;
  report.pairs_before = {pair};
  pair.together[0] = pair.together[1] = 4;
  report.pairs_after = {pair};
  EXPECT_THAT(report.ToString(), HasSubstr("before: processors 0 and 1 share a core"));
  EXPECT_THAT(report.ToString(), HasSubstr("after: processors 0 and 1 have a core each"));
}

TEST(LimitsReportTest, PeakLineHasTheWidestFmaAndTheMemory) {
  jit::MachineLimits limits = SomeLimits();
  EXPECT_EQ(PeakLine(limits), "fma_256 2.00 instructions/cycle, read_dram 5.50 bytes/cycle (22.0 GB/s)");
  limits.limits[jit::Limit::kFma512] = {1, 1, 1, 21, 0};
  EXPECT_THAT(PeakLine(limits), HasSubstr("fma_512 1.00"));
  EXPECT_THAT(PeakLine(limits), Not(HasSubstr("fma_256")));
  EXPECT_THAT(PeakLine(jit::MachineLimits()), HasSubstr("not measured"));
}

TEST(LimitsReportTest, MeasuresThisMachine) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const jit::Instruments instruments, jit::Instruments::Host(host.isa()));
  jit::SamplerOptions options;
  options.rounds = 3;
  ASSERT_OK_AND_ASSIGN(const LimitsReport report, LimitsReport::Measure(host, {}, options, instruments));
  EXPECT_THAT(report.pairs_before, IsEmpty());
  EXPECT_THAT(report.measured_parameters, Not(IsEmpty()));
  EXPECT_THAT(report.ToString(), HasSubstr("one core at"));
}

}  // namespace
}  // namespace burin::kernel_bench

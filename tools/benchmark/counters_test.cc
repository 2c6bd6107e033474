#include "tools/benchmark/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "jit/isa/cache_info.h"
#include "jit/limits/machine_limits.h"
#include "tools/benchmark/roofline.h"

namespace burin::benchmark {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;

ProfilingInfo Record(const std::string& name, int64_t real_ns, int64_t count) {
  ProfilingInfo info;
  info.status = count > 0 ? ProfilingInfo::Status::kExecuted : ProfilingInfo::Status::kNotRun;
  info.node_name = name;
  info.op_type = "Relu";
  info.kernel = "reference";
  info.precision = "f32";
  info.flops = 500;
  info.real_time_ns = real_ns;
  info.cpu_time_ns = real_ns / 2;
  info.count = count;
  return info;
}

TEST(CountersTest, RequestsAddUp) {
  const std::vector<ProfilingInfo> merged =
      MergeCounters({{Record("a", 100, 1), Record("b", 0, 0)}, {Record("a", 300, 3), Record("b", 50, 1)}});
  ASSERT_EQ(merged.size(), 2);
  EXPECT_EQ(merged[0].real_time_ns, 400);
  EXPECT_EQ(merged[0].cpu_time_ns, 200);
  EXPECT_EQ(merged[0].count, 4);
  EXPECT_EQ(merged[1].status, ProfilingInfo::Status::kExecuted);
  EXPECT_TRUE(MergeCounters({}).empty());
}

TEST(CountersTest, RequestsMayHaveRunDifferentNodes) {
  ProfilingInfo described = Record("a", 100, 1);
  described.kernel = "";
  described.status = ProfilingInfo::Status::kNotRun;
  const std::vector<ProfilingInfo> merged =
      MergeCounters({{described, Record("x", 5, 1)}, {Record("a", 300, 3), Record("b", 50, 1)}});
  ASSERT_EQ(merged.size(), 3);
  EXPECT_EQ(merged[0].kernel, "reference");
  EXPECT_EQ(merged[0].count, 4);
  EXPECT_EQ(merged[1].node_name, "x");
  EXPECT_EQ(merged[2].node_name, "b");
}

TEST(CountersTest, TimeInReferenceCodeAddsUp) {
  ProfilingInfo generated = Record("a", 6000, 2);
  generated.kernel = "gemm";
  const ReferenceTime time = SumReferenceTime({generated, Record("b", 3000, 1), Record("c", 1000, 1)});
  EXPECT_DOUBLE_EQ(time.reference_us, 4);
  EXPECT_DOUBLE_EQ(time.all_us, 10);
}

TEST(CountersTest, SlowestFirstWithShares) {
  const std::vector<ProfilingInfo> sorted =
      SortedByTime({Record("fast", 1000, 1), Record("slow", 3000, 1), Record("never", 0, 0)});
  EXPECT_EQ(sorted[0].node_name, "slow");
  EXPECT_EQ(sorted[2].node_name, "never");
  EXPECT_THAT(TimeShares(sorted), ElementsAre(0.75, 0.25, 0));
  EXPECT_THAT(TimeShares({Record("never", 0, 0)}), ElementsAre(0));
}

TEST(CountersTest, OrdersAsAskedFor) {
  const std::vector<ProfilingInfo> counters = {Record("fast", 1000, 1), Record("never", 0, 0), Record("slow", 3000, 1)};
  const auto names = [&](CounterOrder order) {
    std::string names;
    for (const ProfilingInfo& info : Ordered(counters, order)) names += info.node_name + " ";
    return names;
  };
  EXPECT_EQ(names(CounterOrder::kByTime), "slow fast never ");
  EXPECT_EQ(names(CounterOrder::kAsExecuted), "fast never slow ");
  EXPECT_EQ(names(CounterOrder::kAsExecutedRunOnly), "fast slow ");
}

TEST(CountersTest, CsvHasATablePerRequest) {
  EXPECT_EQ(CounterCsv({{Record("a;b", 3000000, 3), Record("never", 0, 0)}, {Record("c", 500, 1)}}),
            "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n"
            "\"a;b\";EXECUTED;Relu;reference_f32;1.000000;0.500000\n"
            "never;NOT_RUN;Relu;reference_f32;0.000000;0.000000\n"
            "Total;;;;1.000000;0.500000\n"
            "\n"
            "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n"
            "c;EXECUTED;Relu;reference_f32;0.000500;0.000250\n"
            "Total;;;;0.000500;0.000250\n"
            "\n");
}

// One thread at 1 GHz, of one FMA of eight floats a cycle.
Roofline OneFma() {
  jit::MachineLimits core;
  core.clock_ghz = 1;
  core.limits[jit::Limit::kFma256].value = 1;
  return Roofline(core, jit::CacheSizes(), /*one_core_saturates_memory=*/true, 1);
}

TEST(CountersTest, TablePrintsTimesPerExecution) {
  ProfilingInfo slow = Record("slow", 3000000, 3);
  slow.isa = "avx2";
  slow.layout = "row-major";
  slow.bytes = 2500000;
  const std::string table = CounterTable({slow, Record("never", 0, 0)}, OneFma());
  EXPECT_THAT(table, ContainsRegex("slow +EXECUTED +Relu +reference +avx2 +row-major +f32 +1000.000 +500.000 +100.00% "
                                   "+0.00 +2.500 +0% fma\n"));
  EXPECT_THAT(table, ContainsRegex("never +NOT_RUN +Relu +reference +f32 +0.000 +0.000 +0.00% +0.00 +0.000 +-\n"));
  EXPECT_THAT(table, ContainsRegex("\ntotal +1000.000 +500.000\n"));
  EXPECT_THAT(table, ContainsRegex("\nLimits: 1 thread at 1.00 GHz: 16.0 GFLOP/s\n"));
  EXPECT_THAT(table, ContainsRegex("\nReference code: 3000.000 us of 3000.000 us in all executions .100.00%.\n"));
  // 500 operations in 100 ns, of 1600.
  EXPECT_THAT(CounterTable({Record("quick", 100, 1)}, OneFma()),
              ContainsRegex("0.100 +0.050 +100.00% +5.00 +0.000 +31% fma"));
}

}  // namespace
}  // namespace burin::benchmark

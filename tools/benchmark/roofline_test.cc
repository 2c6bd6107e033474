#include "tools/benchmark/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;

jit::MachineLimits Core() {
  jit::MachineLimits core;
  core.clock_ghz = 2;
  core.limits[jit::Limit::kFma256].value = 2;
  core.limits[jit::Limit::kFma512].value = 0.5;
  core.limits[jit::Limit::kReadL1].value = 50;
  core.limits[jit::Limit::kReadL2].value = 20;
  core.limits[jit::Limit::kReadDram].value = 5;
  return core;
}

jit::CacheSizes Caches() {
  jit::CacheSizes caches;
  caches.l1_data = 1000;
  caches.l2 = 100000;
  caches.l3 = 0;
  caches.l3_share = 0;
  return caches;
}

// A node of which each of ten executions took so many nanoseconds.
ProfilingInfo Node(double flops, double bytes, int64_t nanoseconds) {
  ProfilingInfo info;
  info.flops = flops;
  info.bytes = bytes;
  info.real_time_ns = 10 * nanoseconds;
  info.count = 10;
  return info;
}

TEST(RooflineTest, WorkIsLimitedByFmas) {
  const Roofline roofline(Core(), Caches(), /*one_core_saturates_memory=*/true, 1);
  // Two FMAs of eight floats a cycle, two operations each, at 2 GHz: 64 a nanosecond.
  const std::optional<NodeLimit> limit = roofline.LimitOf(Node(6400, 800, 200));
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->of, "fma");
  EXPECT_DOUBLE_EQ(limit->share, 0.5);
}

TEST(RooflineTest, BytesAreReadFromTheSmallestCacheThatHoldsThem) {
  const Roofline roofline(Core(), Caches(), /*one_core_saturates_memory=*/true, 1);
  EXPECT_EQ(roofline.LimitOf(Node(0, 1000, 100))->of, "L1");
  EXPECT_DOUBLE_EQ(roofline.LimitOf(Node(0, 1000, 100))->share, 0.1);
  EXPECT_EQ(roofline.LimitOf(Node(10, 40000, 2000))->of, "L2");
  EXPECT_DOUBLE_EQ(roofline.LimitOf(Node(10, 40000, 2000))->share, 0.5);
  // There is no L3.
  EXPECT_EQ(roofline.LimitOf(Node(0, 1e6, 200000))->of, "DRAM");
  EXPECT_DOUBLE_EQ(roofline.LimitOf(Node(0, 1e6, 200000))->share, 0.5);
}

TEST(RooflineTest, ThreadsHaveCachesOfTheirOwnAndShareTheMemory) {
  const Roofline saturated(Core(), Caches(), /*one_core_saturates_memory=*/true, 2);
  EXPECT_DOUBLE_EQ(saturated.LimitOf(Node(6400, 0, 50))->share, 1);
  EXPECT_EQ(saturated.LimitOf(Node(0, 2000, 100))->of, "L1");
  EXPECT_DOUBLE_EQ(saturated.LimitOf(Node(0, 2000, 100))->share, 0.1);
  EXPECT_DOUBLE_EQ(saturated.LimitOf(Node(0, 1e6, 200000))->share, 0.5);
  const Roofline wide(Core(), Caches(), /*one_core_saturates_memory=*/false, 2);
  EXPECT_DOUBLE_EQ(wide.LimitOf(Node(0, 1e6, 200000))->share, 0.25);
}

TEST(RooflineTest, WithoutTimeOrWorkThereIsNoLimit) {
  const Roofline roofline(Core(), Caches(), true, 1);
  EXPECT_FALSE(roofline.LimitOf(Node(0, 0, 100)).has_value());
  EXPECT_FALSE(roofline.LimitOf(Node(10, 10, 0)).has_value());
  EXPECT_FALSE(roofline.LimitOf(ProfilingInfo()).has_value());
  EXPECT_FALSE(Roofline(jit::MachineLimits(), Caches(), true, 1).LimitOf(Node(10, 10, 10)).has_value());
}

TEST(RooflineTest, PrintsTheRates) {
  EXPECT_EQ(Roofline(Core(), Caches(), true, 2).ToString(),
            "2 threads at 2.00 GHz: 128.0 GFLOP/s; L1 200.0 GB/s to 1 KiB, L2 80.0 GB/s to 195 KiB, DRAM 10.0 GB/s");
}

TEST(RooflineTest, ThisMachineIsMeasured) {
  ASSERT_OK_AND_ASSIGN(const Roofline roofline, Roofline::Measure(1));
  EXPECT_THAT(roofline.ToString(), HasSubstr("1 thread at "));
}

}  // namespace
}  // namespace burin::benchmark

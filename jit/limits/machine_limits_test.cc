#include "jit/limits/machine_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/limits/sampler.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

MachineLimits LimitsOf(std::initializer_list<std::pair<Limit, double>> values) {
  MachineLimits limits;
  for (const auto& [limit, value] : values) limits.limits[limit] = {value, value, value, 21, 0};
  return limits;
}

TEST(MachineLimitsTest, WhatWasMeasuredTakesTheParametersPlaces) {
  // As measured on Zen 4.
  const MachineLimits zen4 = LimitsOf({{Limit::kFma256, 1.94},
                                       {Limit::kFma512, 0.97},
                                       {Limit::kFmaAndAdd256, 3.8},
                                       {Limit::kFmaAndAdd512, 1.9},
                                       {Limit::kFmaLatency, 4.1},
                                       {Limit::kDotBf16_512, 0.96},
                                       {Limit::kReadL2, 29},
                                       {Limit::kReadL3, 25.5},
                                       {Limit::kReadDram, 17}});
  const Microarch applied = zen4.Apply(Microarch());
  EXPECT_EQ(applied.id, MicroarchClass::kUnknown);
  EXPECT_EQ(applied.fma256_per_cycle, 2);
  EXPECT_EQ(applied.fma512_per_cycle, 1);
  EXPECT_EQ(applied.fma_latency, 4);
  EXPECT_EQ(applied.dpbf16_512_per_cycle, 1.0);
  EXPECT_EQ(applied.broadcast, BroadcastForm::kEmbedded);
  EXPECT_TRUE(applied.adds_beside_fma);
  EXPECT_EQ(applied.l2_bytes_per_cycle, 29);
  EXPECT_EQ(applied.l3_bytes_per_cycle, 25.5);
  EXPECT_EQ(applied.dram_bytes_per_cycle, 17);

  // As measured on Emerald Rapids.
  const Microarch emerald =
      LimitsOf(
          {{Limit::kFma256, 1.95}, {Limit::kFma512, 1.93}, {Limit::kFmaAndAdd512, 1.95}, {Limit::kDotBf16_512, 0.49}})
          .Apply(Microarch::Of(MicroarchClass::kZen4));
  EXPECT_EQ(emerald.fma512_per_cycle, 2);
  EXPECT_EQ(emerald.dpbf16_512_per_cycle, 0.5);
  EXPECT_EQ(emerald.broadcast, BroadcastForm::kRegister);
  EXPECT_FALSE(emerald.adds_beside_fma);
  // Not measured, hence as it was.
  EXPECT_EQ(emerald.l3_bytes_per_cycle, 26);
}

TEST(MachineLimitsTest, NothingMeasuredChangesNothing) {
  const Microarch base = Microarch::Of(MicroarchClass::kZen4);
  EXPECT_EQ(MachineLimits().Apply(base).ToString(), base.ToString());
}

TEST(MachineLimitsTest, WorkingSetsLieInTheirLevels) {
  CacheSizes zen4;
  zen4.l2 = 1 << 20;
  zen4.l3 = zen4.l3_share = 32 << 20;
  EXPECT_EQ(WorkingSetBytes(Limit::kReadL1, zen4), 16 << 10);
  EXPECT_EQ(WorkingSetBytes(Limit::kReadL2, zen4), 512 << 10);
  EXPECT_EQ(WorkingSetBytes(Limit::kReadL3, zen4), 8 << 20);
  EXPECT_EQ(WorkingSetBytes(Limit::kReadDram, zen4), 96 << 20);
  EXPECT_EQ(WorkingSetBytes(Limit::kFma256, zen4), 0);
  CacheSizes emerald;
  emerald.l2 = 2 << 20;
  emerald.l3 = 320 << 20;
  emerald.l3_share = 32 << 20;
  EXPECT_EQ(WorkingSetBytes(Limit::kReadL3, emerald), 8 << 20);
  EXPECT_EQ(WorkingSetBytes(Limit::kReadDram, emerald), 512 << 20);
  // A third level that is no larger than the second holds nothing of its own.
  CacheSizes small;
  small.l2 = 2 << 20;
  small.l3 = small.l3_share = 4 << 20;
  EXPECT_EQ(WorkingSetBytes(Limit::kReadL3, small), 0);
  small.l3 = small.l3_share = 0;
  EXPECT_EQ(WorkingSetBytes(Limit::kReadL3, small), 0);
  EXPECT_EQ(WorkingSetBytes(Limit::kReadDram, small), 96 << 20);
}

TEST(MachineLimitsTest, MeasuresThisMachine) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  ASSERT_OK_AND_ASSIGN(const Instruments instruments, Instruments::Host(host.isa()));
  SamplerOptions options;
  options.rounds = 3;
  options.seconds_per_sample = 1e-4;
  ASSERT_OK_AND_ASSIGN(const MachineLimits limits, MachineLimits::Measure(host, options, instruments));
  if (limits.limits.count(Limit::kFma256) == 0) GTEST_SKIP() << "this machine is too busy to take a sample";
  EXPECT_EQ(limits.limits.count(Limit::kFma512) > 0, host.Supports(IsaLevel::kAvx512)) << limits.ToString();
  EXPECT_GT(limits.clock_ghz, 0);
  for (const auto& [limit, measured] : limits.limits) {
    // No processor does more, however wrong its clock was read.
    EXPECT_LT(measured.value, 1000) << limits.ToString();
    EXPECT_GT(measured.value, 0);
    EXPECT_GT(measured.accepted, 0);
  }
}

TEST(MachineLimitsTest, ACapMeasuresWhatItLeaves) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host(IsaLevel::kAvx2));
  ASSERT_OK_AND_ASSIGN(const Instruments instruments, Instruments::Host(host.isa()));
  SamplerOptions options;
  options.rounds = 1;
  options.seconds_per_sample = 1e-5;
  ASSERT_OK_AND_ASSIGN(const MachineLimits limits, MachineLimits::Measure(host, options, instruments));
  EXPECT_EQ(limits.limits.count(Limit::kFma512), 0u);
  EXPECT_EQ(limits.limits.count(Limit::kDotInt8_256), 0u);
}

TEST(MachineLimitsTest, Prints) {
  MachineLimits limits = LimitsOf({{Limit::kFma256, 2}, {Limit::kReadL2, 30.5}, {Limit::kFmaLatency, 4}});
  limits.clock_ghz = 2.25;
  EXPECT_EQ(limits.ToString(),
            "clock 2.25 GHz\n"
            "fma_256             2.00 instructions/cycle (median 2.00, slow 2.00; 21 samples, 0 rejected)\n"
            "fma_latency         4.00 cycles (median 4.00, slow 4.00; 21 samples, 0 rejected)\n"
            "read_l2            30.50 bytes/cycle (median 30.50, slow 30.50; 21 samples, 0 rejected)\n");
}

}  // namespace
}  // namespace burin::jit

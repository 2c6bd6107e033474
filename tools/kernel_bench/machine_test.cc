#include "tools/kernel_bench/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/limits/core_sharing.h"
#include "jit/limits/sampler.h"
#include "testing/gtest/status_matchers.h"

namespace burin::kernel_bench {
namespace {

using ::testing::HasSubstr;

jit::Instruments Counting() {
  jit::Instruments instruments;
  instruments.clock_ghz = [clock = 3.0]() mutable { return clock += 0.25; };
  return instruments;
}

TEST(MachineTest, ClockOfSomeReadings) {
  const ClockRange clock = ClockRange::Read(Counting(), 5);
  EXPECT_EQ(clock.min, 3.25);
  EXPECT_EQ(clock.median, 3.75);
  EXPECT_EQ(clock.max, 4.25);
  EXPECT_EQ(clock.ToString(), "3.75 GHz (3.25 to 4.25)");
}

TEST(MachineTest, DescribesTheTarget) {
  unsetenv("BURIN_MAX_ISA");
  unsetenv("BURIN_MICROARCH");
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const Machine machine = Machine::Describe(host, std::nullopt, Counting());
  EXPECT_EQ(machine.level, jit::Name(host.level()));
  EXPECT_EQ(machine.cap, "none");
  EXPECT_THAT(machine.time, HasSubstr("+00:00"));
  EXPECT_EQ(machine.features, host.isa().ToString());
  EXPECT_FALSE(machine.cpus.empty());
  EXPECT_THAT(machine.ToString(), HasSubstr(machine.processor));
  EXPECT_THAT(machine.ToString(), HasSubstr("load average"));
}

TEST(MachineTest, SaysWhoCappedAndWhoChoseTheClass) {
  setenv("BURIN_MAX_ISA", "avx2", 1);
  setenv("BURIN_MICROARCH", "zen4", 1);
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host(jit::IsaLevel::kAvx512));
  const Machine machine = Machine::Describe(host, jit::IsaLevel::kAvx512, Counting());
  EXPECT_EQ(machine.level, "avx2");
  EXPECT_EQ(machine.cap, "avx512 by -max_isa, avx2 by BURIN_MAX_ISA");
  EXPECT_EQ(machine.microarch, "zen4");
  EXPECT_EQ(machine.microarch_source, "BURIN_MICROARCH");
  unsetenv("BURIN_MAX_ISA");
  unsetenv("BURIN_MICROARCH");
}

TEST(MachineTest, MeasuresEveryPair) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  EXPECT_THAT(MeasurePairs(host.isa(), {}), IsOkAndHolds(::testing::IsEmpty()));
  std::vector<int> cpus = jit::UsableCpus();
  if (cpus.size() > 3) cpus.resize(3);
  const size_t count = cpus.size() * (cpus.size() - 1) / 2;
  EXPECT_THAT(MeasurePairs(host.isa(), cpus), IsOkAndHolds(::testing::SizeIs(count)));
  EXPECT_THAT(MeasurePairs(host.isa(), {cpus[0], 100000}), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::kernel_bench

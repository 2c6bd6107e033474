#include "testing/isa/level_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/isa/cpu_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::isa_test {
namespace {

using jit::IsaFeature;
using jit::IsaLevel;
using jit::IsaSet;
using ::testing::AllOf;
using ::testing::HasSubstr;

// A processor with these instructions and no others.
jit::CpuInfo Cpu(const IsaSet& isa) {
  jit::CpuInfo cpu;
  cpu.brand = "Test Processor";
  cpu.isa = isa;
  for (const IsaFeature feature : jit::kAllIsaFeatures) {
    if (!isa.Has(feature)) cpu.absent[feature] = "CPUID does not report it";
  }
  return cpu;
}

jit::TargetOptions Granted() {
  jit::TargetOptions options;
  options.request_amx = [] { return absl::OkStatus(); };
  return options;
}

// The levels that run in this mode.
std::set<IsaLevel> LevelsOf(const jit::CpuInfo& cpu, LevelMode mode) {
  std::set<IsaLevel> levels;
  for (const IsaLevel level : jit::kAllIsaLevels) {
    const absl::StatusOr<LevelPlan> plan = PlanLevel(level, cpu, Granted());
    EXPECT_OK(plan);
    if (!plan.ok()) continue;
    if (plan->mode == mode) levels.insert(level);
    EXPECT_EQ(plan->reason.empty(), plan->mode != LevelMode::kSkipped) << level;
    EXPECT_EQ(plan->emulated.empty(), plan->mode != LevelMode::kEmulated) << level;
  }
  return levels;
}

TEST(LevelPlanTest, EveryLevelOfAProcessorThatHasAll) {
  EXPECT_EQ(LevelsOf(Cpu(IsaSet::All()), LevelMode::kNative).size(), std::size(jit::kAllIsaLevels));
}

TEST(LevelPlanTest, AnOldProcessor) {
  const jit::CpuInfo cpu = Cpu(IsaSet::From(IsaLevel::kAvx2));
  EXPECT_EQ(LevelsOf(cpu, LevelMode::kNative), std::set<IsaLevel>({IsaLevel::kAvx2}));
  EXPECT_EQ(LevelsOf(cpu, LevelMode::kEmulated), std::set<IsaLevel>({IsaLevel::kAvxVnni}));
  ASSERT_OK_AND_ASSIGN(const LevelPlan plan, PlanLevel(IsaLevel::kAmxInt8, cpu, Granted()));
  EXPECT_EQ(plan.mode, LevelMode::kSkipped);
  EXPECT_THAT(plan.reason, AllOf(HasSubstr("level amx_int8"), HasSubstr("avx512f (CPUID does not report it)")));
}

TEST(LevelPlanTest, AProcessorWithoutTiles) {
  const jit::CpuInfo cpu = Cpu(IsaSet::From(IsaLevel::kAvx512Bf16));
  EXPECT_EQ(LevelsOf(cpu, LevelMode::kEmulated),
            std::set<IsaLevel>({IsaLevel::kAvxVnni, IsaLevel::kAmxInt8, IsaLevel::kAmxBf16, IsaLevel::kAmxFp16}));
  EXPECT_EQ(LevelsOf(cpu, LevelMode::kSkipped), std::set<IsaLevel>({IsaLevel::kAvx512Fp16}));
  ASSERT_OK_AND_ASSIGN(const LevelPlan plan, PlanLevel(IsaLevel::kAmxInt8, cpu, Granted()));
  // As an override they bring the target to the level, and no further.
  jit::TargetOptions options = Granted();
  options.max_isa = "amx_int8";
  options.isa_override = plan.emulated;
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Create(cpu, options));
  EXPECT_TRUE(target.Supports(IsaLevel::kAmxInt8));
  EXPECT_FALSE(target.Supports(IsaLevel::kAmxBf16));
}

TEST(LevelPlanTest, WhatIsMissingInPartIsEmulatedInPart) {
  const jit::CpuInfo cpu = Cpu(IsaSet::From(IsaLevel::kAmxBf16));
  ASSERT_OK_AND_ASSIGN(const LevelPlan plan, PlanLevel(IsaLevel::kAmxFp16, cpu, Granted()));
  EXPECT_EQ(plan.mode, LevelMode::kEmulated);
  EXPECT_EQ(plan.emulated, "amx_fp16");
}

TEST(LevelPlanTest, TilesWithoutPermissionAreSkippedUnlessForced) {
  const jit::CpuInfo cpu = Cpu(IsaSet::From(IsaLevel::kAmxBf16));
  jit::TargetOptions options;
  options.request_amx = [] { return absl::FailedPreconditionError("the kernel says no"); };
  ASSERT_OK_AND_ASSIGN(const LevelPlan refused, PlanLevel(IsaLevel::kAmxInt8, cpu, options));
  EXPECT_EQ(refused.mode, LevelMode::kSkipped);
  EXPECT_THAT(refused.reason, HasSubstr("the kernel says no"));
  options.isa_override = "amx_int8";
  ASSERT_OK_AND_ASSIGN(const LevelPlan forced, PlanLevel(IsaLevel::kAmxInt8, cpu, options));
  EXPECT_EQ(forced.mode, LevelMode::kNative);
}

TEST(LevelPlanTest, AProcessorBelowTheLeastIsSkippedAndNonsenseIsNot) {
  ASSERT_OK_AND_ASSIGN(const LevelPlan plan, PlanLevel(IsaLevel::kAvx2, Cpu(IsaSet()), Granted()));
  EXPECT_EQ(plan.mode, LevelMode::kSkipped);
  EXPECT_THAT(plan.reason, HasSubstr("Test Processor"));
  jit::TargetOptions options = Granted();
  options.isa_override = "mmx9";
  EXPECT_THAT(PlanLevel(IsaLevel::kAvx2, Cpu(IsaSet::All()), options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("mmx9")));
}

}  // namespace
}  // namespace burin::isa_test

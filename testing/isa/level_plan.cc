#include "testing/isa/level_plan.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace burin::isa_test {
namespace {

using jit::IsaFeature;
using jit::IsaLevel;
using jit::IsaSet;

// What testing/emulation carries out.
IsaSet Emulated() {
  return IsaSet::Of({IsaFeature::kAvxVnni, IsaFeature::kAmxInt8, IsaFeature::kAmxBf16, IsaFeature::kAmxFp16});
}

}  // namespace

absl::StatusOr<LevelPlan> PlanLevel(IsaLevel level, const jit::CpuInfo& cpu, jit::TargetOptions options) {
  LevelPlan plan;
  options.max_isa = std::string(Name(level));
  const absl::StatusOr<jit::Target> target = jit::Target::Create(cpu, options);
  if (target.status().code() == absl::StatusCode::kFailedPrecondition) {
    plan.reason = std::string(target.status().message());
    return plan;
  }
  if (!target.ok()) return target.status();
  const absl::Status offered = target->Require(level);
  if (offered.ok()) {
    plan.mode = LevelMode::kNative;
    return plan;
  }
  std::vector<absl::string_view> missing;
  for (const IsaFeature feature : jit::kAllIsaFeatures) {
    if (!IsaSet::From(level).Has(feature) || target->Has(feature)) continue;
    missing.push_back(Name(feature));
    // What the processor has and may not use, for want of permission, does not trap reliably.
    if (!Emulated().Has(feature) || cpu.isa.Has(feature)) {
      plan.reason = std::string(offered.message());
      return plan;
    }
  }
  plan.mode = LevelMode::kEmulated;
  plan.emulated = absl::StrJoin(missing, ",");
  return plan;
}

}  // namespace burin::isa_test

// Decides how tests of one instruction set level run on a processor: by itself, emulated, or not at all.
//
// Use it in main() of tests that run once a level; nothing else needs it. A pure function, hence thread-safe.
#ifndef BURIN_TESTING_ISA_LEVEL_PLAN_H_
#define BURIN_TESTING_ISA_LEVEL_PLAN_H_

#include <string>

#include "absl/status/statusor.h"
#include "jit/isa/cpu_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"

namespace burin::isa_test {

// Says how the tests of a level run.
enum class LevelMode {
  // The processor has all of the level.
  kNative,
  // testing/emulation carries out what the processor lacks.
  kEmulated,
  // The processor lacks what nothing here emulates.
  kSkipped,
};

// Holds a decision.
struct LevelPlan {
  LevelMode mode = LevelMode::kSkipped;
  // What is to be emulated: names of features, separated by commas, as BURIN_ISA_OVERRIDE takes them.
  std::string emulated;
  // Why the tests are skipped.
  std::string reason;
};

// Returns the plan for `level` on the processor `cpu`, under `options` but for their `max_isa`. What the options
// override counts as the processor's own. Errors as of Target::Create() for options that make no sense; a processor on
// which Burin does not run at all is one whose tests are skipped.
absl::StatusOr<LevelPlan> PlanLevel(jit::IsaLevel level, const jit::CpuInfo& cpu, jit::TargetOptions options);

}  // namespace burin::isa_test

#endif  // BURIN_TESTING_ISA_LEVEL_PLAN_H_

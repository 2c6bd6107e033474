// The main() of tests that run once a level (isa_test.bzl): BURIN_MAX_ISA names the level. Where the processor lacks
// something, it installs the emulator and overrides the target, or, where nothing emulates it, replaces all tests by
// one that is skipped with the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "jit/isa/cpu_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/emulation/emulator.h"
#include "testing/isa/level_plan.h"

namespace burin::isa_test {
namespace {

constexpr char kMaxIsa[] = "BURIN_MAX_ISA";
constexpr char kIsaOverride[] = "BURIN_ISA_OVERRIDE";

class SkippedLevel : public ::testing::Test {
 public:
  explicit SkippedLevel(const std::string& reason) : reason_(reason) {}
  void TestBody() override { GTEST_SKIP() << reason_; }

 private:
  const std::string reason_;
};

// Leaves this one test to run, under the level's name.
void SkipAll(jit::IsaLevel level, const std::string& reason) {
  const std::string name(Name(level));
  ::testing::RegisterTest("IsaLevel", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [reason]() -> ::testing::Test* { return new SkippedLevel(reason); });
  ::testing::GTEST_FLAG(filter) = "IsaLevel." + name;
}

// Notes in the results how the level was run, and fails all tests if the target is not of that level.
class LevelEnvironment : public ::testing::Environment {
 public:
  LevelEnvironment(jit::IsaLevel level, std::string emulated) : level_(level), emulated_(std::move(emulated)) {}

  void SetUp() override {
    ::testing::Test::RecordProperty("isa_level", std::string(Name(level_)));
    ::testing::Test::RecordProperty("isa_emulated", emulated_);
    const absl::StatusOr<jit::Target> target = jit::Target::Host();
    ASSERT_TRUE(target.ok()) << target.status();
    ASSERT_TRUE(target->Supports(level_)) << target->ToString();
    ASSERT_EQ(target->level(), level_) << target->ToString();
  }

 private:
  const jit::IsaLevel level_;
  const std::string emulated_;
};

// Adds `features` to what the target is told to have.
void Override(const std::string& features) {
  const char* const before = std::getenv(kIsaOverride);
  const std::string all = before == nullptr || *before == '\0' ? features : absl::StrCat(before, ",", features);
  setenv(kIsaOverride, all.c_str(), 1);
}

absl::Status Prepare() {
  const char* const name = std::getenv(kMaxIsa);
  if (name == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(kMaxIsa, " is not set: it names the level to test"));
  }
  BURIN_ASSIGN_OR_RETURN(const jit::IsaLevel level, jit::ParseIsaLevel(name));
  BURIN_ASSIGN_OR_RETURN(LevelPlan plan, PlanLevel(level, jit::CpuInfo::Host(), jit::TargetOptions::FromEnvironment()));
  if (plan.mode == LevelMode::kEmulated) {
    const absl::Status installed = emulation::InstallEmulator();
    if (installed.code() == absl::StatusCode::kUnimplemented) {
      plan.mode = LevelMode::kSkipped;
      plan.reason = std::string(installed.message());
    } else {
      BURIN_RETURN_IF_ERROR(installed);
      Override(plan.emulated);
    }
  }
  if (plan.mode == LevelMode::kSkipped) {
    SkipAll(level, plan.reason);
  } else {
    ::testing::AddGlobalTestEnvironment(new LevelEnvironment(level, plan.emulated));
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace burin::isa_test

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  const absl::Status prepared = burin::isa_test::Prepare();
  if (!prepared.ok()) {
    std::cerr << prepared << "\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}

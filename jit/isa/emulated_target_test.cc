// The target of processors that qemu-user stands in for: the whole path, from CPUID to the error or the description.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "absl/base/config.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kQemu[] = "/usr/bin/qemu-x86_64";

struct Outcome {
  int exit_status = -1;
  std::string output;
};

// Runs print_target as a processor of `model`, with `arguments`.
Outcome RunOn(const std::string& model, const std::string& arguments = "") {
  const std::string command = std::string(kQemu) + " -cpu " + model + " jit/isa/print_target " + arguments + " 2>&1";
  Outcome outcome;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (size_t size; (size = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) outcome.output.append(buffer, size);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  return outcome;
}

// Sanitizers reserve address space of which qemu's user mode keeps a map, page by page: more than any machine has.
#if defined(ABSL_HAVE_ADDRESS_SANITIZER) || defined(ABSL_HAVE_THREAD_SANITIZER)
constexpr bool kHasShadowMemory = true;
#else
constexpr bool kHasShadowMemory = false;
#endif

class EmulatedTargetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kHasShadowMemory) GTEST_SKIP() << "print_target is instrumented and has shadow memory";
    if (access(kQemu, X_OK) != 0) GTEST_SKIP() << "qemu-x86_64 is not installed (Debian package qemu-user)";
  }
};

TEST_F(EmulatedTargetTest, AMachineBelowAvx2GetsAReasonAndNoSignal) {
  const Outcome outcome = RunOn("Nehalem");
  EXPECT_EQ(outcome.exit_status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("FAILED_PRECONDITION"), HasSubstr("avx2 (CPUID does not report it)"),
                                    HasSubstr("f16c (CPUID"), HasSubstr("Nehalem")));
}

TEST_F(EmulatedTargetTest, AMachineOfAvx2) {
  const Outcome outcome = RunOn("Haswell-noTSX");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("\nlevel: avx2\n"), HasSubstr("class: haswell: "),
                                    HasSubstr("absent: avx512f: CPUID does not report it")));
}

TEST_F(EmulatedTargetTest, AMachineWhoseOperatingSystemSavesNoYmm) {
  const Outcome outcome = RunOn("Haswell-noTSX,-xsave");
  EXPECT_EQ(outcome.exit_status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("FAILED_PRECONDITION"));
}

TEST_F(EmulatedTargetTest, ACapAboveTheMachineChangesNothing) {
  const Outcome outcome = RunOn("Haswell-noTSX", "amx_fp16");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("\nlevel: avx2\n"), Not(HasSubstr("capped"))));
}

}  // namespace
}  // namespace burin::jit

#include "jit/debug/fault_locator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/check.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "testing/emulation/emulator.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;
using ::testing::Not;

using Function = void (*)(const void* argument);

// Loads a kernel of these instructions, a return behind them and a mark before them.
ExecutableCode Load(std::vector<uint8_t> bytes) {
  CodeBlob blob;
  blob.name = "faulty";
  // A nop before the mark.
  blob.bytes = {0x90};
  blob.marks = {{1, "the part"}, {1 + bytes.size(), "leave"}};
  blob.bytes.insert(blob.bytes.end(), bytes.begin(), bytes.end());
  blob.bytes.push_back(0xc3);
  blob.code_bytes = blob.bytes.size();
  absl::StatusOr<ExecutableCode> code = ExecutableCode::Load(blob);
  BURIN_CHECK(code.ok()) << code.status();
  return *std::move(code);
}

// mov rax, [rdi]
ExecutableCode Reader() { return Load({0x48, 0x8b, 0x07}); }
// ud2
ExecutableCode Illegal() { return Load({0x0f, 0x0b}); }
// xor edx, edx; xor ecx, ecx; div ecx
ExecutableCode Divider() { return Load({0x31, 0xd2, 0x31, 0xc9, 0xf7, 0xf1}); }

void Call(const ExecutableCode& code, uintptr_t argument) {
  code.entry<Function>()(reinterpret_cast<const void*>(argument));
}

void Install() { BURIN_CHECK(InstallFaultLocator().ok()); }

void Handle(int signal_number, void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  BURIN_CHECK(sigaction(signal_number, &action, nullptr) == 0);
}

// Handlers of signals are the process's: each test has a process of its own.
class FaultLocatorDeathTest : public ::testing::Test {};

TEST_F(FaultLocatorDeathTest, TellsOfAccesses) {
  const ExecutableCode reader = Reader();
  const auto act = [&] {
    Install();
    Install();
    Call(reader, 0x10);
  };
  EXPECT_DEATH(act(), "burin: SIGSEGV in kernel faulty\\+0x1 \\(the part\\), address 0x10, instruction 48 8b 07 c3\n");
}

TEST_F(FaultLocatorDeathTest, ANonCanonicalAddressIsNotKnown) {
  if (std::getenv("BURIN_EMULATED") != nullptr) GTEST_SKIP() << "An emulator may know what a processor does not";
  const ExecutableCode reader = Reader();
  const auto act = [&] {
    Install();
    Call(reader, uintptr_t{1} << 62);
  };
  EXPECT_DEATH(act(), "burin: SIGSEGV in kernel faulty\\+0x1 \\(the part\\), instruction 48 8b 07 c3\n");
}

TEST_F(FaultLocatorDeathTest, TellsOfMemoryBeyondAFile) {
  const ExecutableCode reader = Reader();
  const auto act = [&] {
    const int fd = memfd_create("empty", 0);
    const void* const page = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0);
    Install();
    Call(reader, reinterpret_cast<uintptr_t>(page));
  };
  EXPECT_DEATH(act(), "burin: SIGBUS in kernel faulty\\+0x1 \\(the part\\), address 0x[0-9a-f]+000, instruction");
}

TEST_F(FaultLocatorDeathTest, TellsOfInstructionsAndDivisions) {
  const ExecutableCode illegal = Illegal();
  const ExecutableCode divider = Divider();
  const auto act = [](const ExecutableCode& code) {
    Install();
    Call(code, 0);
  };
  EXPECT_DEATH(act(illegal), "burin: SIGILL in kernel faulty\\+0x1 \\(the part\\), instruction 0f 0b c3\n");
  EXPECT_DEATH(act(divider), "burin: SIGFPE in kernel faulty\\+0x5 \\(the part\\), instruction f7 f1 c3\n");
}

TEST_F(FaultLocatorDeathTest, TellsOfFaultsInOtherThreads) {
  const ExecutableCode reader = Reader();
  const auto act = [&] {
    Install();
    std::thread([&] { Call(reader, 0x10); }).join();
  };
  EXPECT_DEATH(act(), "burin: SIGSEGV in kernel faulty");
}

TEST_F(FaultLocatorDeathTest, IsSilentOutsideOfKernels) {
  const auto act = [] {
    Install();
    *reinterpret_cast<volatile int*>(uintptr_t{0x10}) = 1;
  };
  EXPECT_DEATH(act(), Not(HasSubstr("burin: SIG")));
}

TEST_F(FaultLocatorDeathTest, ForgetsKernelsThatAreGone) {
  const auto act = [] {
    Install();
    { const ExecutableCode reader = Reader(); }
    *reinterpret_cast<volatile int*>(uintptr_t{0x10}) = 1;
  };
  EXPECT_DEATH(act(), Not(HasSubstr("burin: SIG")));
}

TEST_F(FaultLocatorDeathTest, SignalsThatWereSentGoOnTheirWay) {
  const auto act = [](bool ignored) {
    signal(SIGFPE, ignored ? SIG_IGN : SIG_DFL);
    Install();
    raise(SIGFPE);
    _exit(3);
  };
  EXPECT_EXIT(act(false), KilledBySignal(SIGFPE), Not(HasSubstr("burin: SIG")));
  EXPECT_EXIT(act(true), ExitedWithCode(3), Not(HasSubstr("burin: SIG")));
}

TEST_F(FaultLocatorDeathTest, WhoHandledTheSignalIsCalled) {
  const ExecutableCode reader = Reader();
  const auto act = [&] {
    Handle(SIGSEGV, [](int number, siginfo_t* info, void*) {
      _exit(number == SIGSEGV && info->si_addr == reinterpret_cast<void*>(uintptr_t{0x10}) ? 7 : 8);
    });
    Install();
    Call(reader, 0x10);
  };
  EXPECT_EXIT(act(), ExitedWithCode(7), "burin: SIGSEGV in kernel faulty");
}

sigjmp_buf resume;

TEST_F(FaultLocatorDeathTest, WhoHandledTheSignalMayLeave) {
  const ExecutableCode reader = Reader();
  const auto act = [&] {
    Handle(
        SIGSEGV, [](int, siginfo_t*, void*) { siglongjmp(resume, 1); }, SA_NODEFER);
    Install();
    volatile int faults = 0;
    if (sigsetjmp(resume, 0) != 0) faults = faults + 1;
    if (faults < 3) Call(reader, 0x10);
    _exit(7);
  };
  EXPECT_EXIT(act(), ExitedWithCode(7), "(burin: SIGSEGV in kernel faulty[^\n]*\n){3}");
}

TEST_F(FaultLocatorDeathTest, AHandlerForOneTimeIsCalledOnce) {
  const ExecutableCode reader = Reader();
  const auto act = [&] {
    Handle(
        SIGSEGV,
        [](int, siginfo_t*, void*) {
          if (write(STDERR_FILENO, "once\n", 5) != 5) _exit(1);
        },
        SA_RESETHAND);
    Install();
    Call(reader, 0x10);
  };
  EXPECT_EXIT(act(), KilledBySignal(SIGSEGV), "^burin: SIGSEGV [^\n]*\nonce\n");
}

TEST_F(FaultLocatorDeathTest, InstructionsThatAreCarriedOutAreNoFaults) {
  const ExecutableCode illegal = Illegal();
  const auto act = [&] {
    Handle(SIGILL,
           [](int, siginfo_t*, void* context) { static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] += 2; });
    Install();
    Call(illegal, 0);
    Call(illegal, 0);
    _exit(7);
  };
  EXPECT_EXIT(act(), ExitedWithCode(7), Not(HasSubstr("burin: SIG")));
}

// With testing/emulation above and below.
TEST_F(FaultLocatorDeathTest, WorksWithTheEmulator) {
  const ExecutableCode illegal = Illegal();
  // tilerelease, which is carried out on a processor without tiles.
  const ExecutableCode release = Load({0xc4, 0xe2, 0x78, 0x49, 0xc0});
  const auto act = [&](bool emulator_first) {
    if (!emulator_first) Install();
    const absl::Status installed = emulation::InstallEmulator();
    // Nothing to test there, but for what follows.
    if (!installed.ok()) BURIN_CHECK(absl::IsUnimplemented(installed)) << installed;
    if (emulator_first) Install();
    if (installed.ok() && __builtin_cpu_supports("amx-tile") == 0) {
      Call(release, 0);
      BURIN_CHECK(emulation::CountsOfEmulator().amx == 1);
    }
    Call(illegal, 0);
  };
  const auto told_once = AllOf(HasSubstr("burin: SIGILL in kernel faulty+0x1 (the part), instruction 0f 0b c3\n"),
                               Not(HasSubstr("49 c0")));
  EXPECT_DEATH(act(true), told_once);
  EXPECT_DEATH(act(false), told_once);
}

TEST_F(FaultLocatorDeathTest, IsInstalledWhereAsked) {
  const ExecutableCode reader = Reader();
  const auto act = [&](const char* value) {
    setenv("BURIN_LOCATE_FAULTS", value, 1);
    InstallFaultLocatorIfAsked();
    Call(reader, 0x10);
  };
  EXPECT_DEATH(act("1"), "burin: SIGSEGV in kernel faulty");
  EXPECT_DEATH(act("0"), Not(HasSubstr("burin: SIG")));
  EXPECT_DEATH(act("yes"), "BURIN_LOCATE_FAULTS is neither 0 nor 1: yes");
}

}  // namespace
}  // namespace burin::jit

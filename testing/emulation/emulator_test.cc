#include "testing/emulation/emulator.h"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "testing/emulation/avx_vnni.h"
#include "testing/emulation/code_bytes_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::emulation {
namespace {

sigjmp_buf resume;
void OnSignal(int signal_number) { siglongjmp(resume, signal_number); }

// Runs the code; returns the signal that it raised, or 0.
int SignalOf(const CodeBytes& code) {
  const int signal_number = sigsetjmp(resume, 1);
  if (signal_number == 0) code.Run();
  return signal_number;
}

// Handlers below the emulator's, so that what it passes on comes back to the test.
class EmulatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action = {};
    action.sa_handler = &OnSignal;
    action.sa_flags = SA_NODEFER;
    ASSERT_EQ(sigaction(SIGILL, &action, nullptr), 0);
    ASSERT_EQ(sigaction(SIGSEGV, &action, nullptr), 0);
    const absl::Status installed = InstallEmulator();
    if (installed.code() == absl::StatusCode::kUnimplemented) GTEST_SKIP() << installed;
    ASSERT_OK(installed);
  }
  void TearDown() override {
    signal(SIGILL, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
  }
};

uint64_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

TEST_F(EmulatorTest, AvxVnniAgreesWithItsDefinition) {
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    alignas(32) uint8_t sum[32];
    alignas(32) uint8_t a[32];
    alignas(32) uint8_t b[32];
    alignas(32) uint8_t got[32];
    for (auto* operand : {sum, a, b}) {
      for (int byte = 0; byte < 32; ++byte) operand[byte] = static_cast<uint8_t>(random());
    }
    const int opcode = 0x50 + i % 4;
    const bool is_256 = i % 8 < 4;
    CodeBytes code;
    code.Move(kRax, AddressOf(sum)).LoadYmm(3).Move(kRax, AddressOf(a)).LoadYmm(9).Move(kRax, AddressOf(b)).LoadYmm(14);
    if (i % 16 < 8) {
      code.Registers(Prefix::k66, opcode, 3, 9, 14, is_256);
    } else {
      code.Memory(Prefix::k66, opcode, 3, 9, kRax, kRsp, 0, 0, 0, is_256);
    }
    code.Move(kRax, AddressOf(got)).StoreYmm(3);
    ASSERT_EQ(SignalOf(code), 0);
    uint8_t wanted[32] = {};
    const int bytes = is_256 ? 32 : 16;
    std::memcpy(wanted, sum, static_cast<size_t>(bytes));
    VnniDot(opcode < 0x52 ? VnniKind::kU8S8 : VnniKind::kS16S16, opcode % 2 == 1, bytes / 4, a, b, wanted);
    EXPECT_EQ(std::memcmp(got, wanted, 32), 0) << "opcode " << opcode << ", 256 bits: " << is_256;
  }
}

// Multiplies a 1x1 tile with itself on this thread, starting from the configuration.
CodeBytes DotProduct(const uint8_t* config, const void* a, const void* b, const void* c) {
  CodeBytes code;
  code.Move(kRax, AddressOf(config)).Memory(Prefix::kNone, 0x49, 0, 0, kRax, kRsp, 0, 0, 0);
  code.Move(kRcx, 64);
  code.Move(kRax, AddressOf(c)).Memory(Prefix::kF2, 0x4b, 0, 0, kRax, kRcx, 0, 0, 0);
  code.Move(kRax, AddressOf(a)).Memory(Prefix::kF2, 0x4b, 1, 0, kRax, kRcx, 0, 0, 0);
  code.Move(kRax, AddressOf(b)).Memory(Prefix::kF2, 0x4b, 2, 0, kRax, kRcx, 0, 0, 0);
  code.Registers(Prefix::kF2, 0x5e, 0, 2, 1);
  code.Move(kRax, AddressOf(c)).Memory(Prefix::kF3, 0x4b, 0, 0, kRax, kRcx, 0, 0, 0);
  code.Registers(Prefix::kNone, 0x49, 0, 0, 0);
  return code;
}

bool HasAmx() {
  unsigned eax = 7;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  asm volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return (edx >> 24 & 1) != 0;
}

TEST_F(EmulatorTest, EachThreadHasItsOwnTiles) {
  if (HasAmx()) GTEST_SKIP() << "this processor has AMX itself";
  uint8_t config[64] = {1};
  for (int tile = 0; tile < 3; ++tile) {
    config[16 + 2 * tile] = 4;
    config[48 + tile] = 1;
  }
  const EmulatorCounts before = CountsOfEmulator();
  std::vector<std::thread> threads;
  constexpr int kThreads = 8;
  constexpr int kRounds = 50;
  std::vector<int> wrong(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([thread, &config, &wrong] {
      for (int round = 0; round < kRounds; ++round) {
        const int8_t a[4] = {static_cast<int8_t>(thread), 1, 0, 0};
        const int8_t b[4] = {10, static_cast<int8_t>(round), 0, 0};
        int32_t c = 5;
        DotProduct(config, a, b, &c).Run();
        wrong[static_cast<size_t>(thread)] += c != 5 + 10 * thread + round ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads));
  // The configuration, three loads, the product, the store, the release.
  EXPECT_EQ(CountsOfEmulator().amx - before.amx, kThreads * kRounds * 7);
}

TEST_F(EmulatorTest, FaultsReachTheProcessAsSignals) {
  if (HasAmx()) GTEST_SKIP() << "this processor has AMX itself";
  const int64_t passed_on = CountsOfEmulator().passed_on;
  EXPECT_EQ(SignalOf(CodeBytes().Byte(0x0f).Byte(0x0b)), SIGILL) << "ud2";
  EXPECT_EQ(SignalOf(CodeBytes().Registers(Prefix::kF2, 0x49, 3, 0, 0)), SIGILL) << "tilezero without configuration";
  EXPECT_EQ(CountsOfEmulator().passed_on - passed_on, 2);
  const uint8_t bad_config[64] = {2};
  CodeBytes load_config;
  load_config.Move(kRax, AddressOf(bad_config)).Memory(Prefix::kNone, 0x49, 0, 0, kRax, kRsp, 0, 0, 0);
  EXPECT_EQ(SignalOf(load_config), SIGSEGV);
  CodeBytes bad_address;
  bad_address.Move(kRax, 64).Memory(Prefix::kNone, 0x49, 0, 0, kRax, kRsp, 0, 0, 0);
  EXPECT_EQ(SignalOf(bad_address), SIGSEGV);
}

TEST_F(EmulatorTest, GrantsThePermissionToUseAmx) {
  const absl::Status installed = InstallEmulator({true});
  if (installed.code() == absl::StatusCode::kUnimplemented) GTEST_SKIP() << installed;
  ASSERT_OK(installed);
  uint64_t components = 0;
  EXPECT_EQ(syscall(SYS_arch_prctl, 0x1023, 18), 0);
  EXPECT_EQ(syscall(SYS_arch_prctl, 0x1022, &components), 0);
  EXPECT_EQ(components >> 17 & 3, 3U);
  EXPECT_EQ(syscall(SYS_arch_prctl, 0x1023, 40), -1);
  EXPECT_EQ(errno, EINVAL);
  // Other questions go to the kernel.
  uint64_t fs_base = 0;
  EXPECT_EQ(syscall(SYS_arch_prctl, 0x1003, &fs_base), 0);
  EXPECT_NE(fs_base, 0U);
}

}  // namespace
}  // namespace burin::emulation

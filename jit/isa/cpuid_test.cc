#include "jit/isa/cpuid.h"

#include <gtest/gtest.h>

namespace burin::jit {
namespace {

TEST(CpuidTest, TheHostAnswers) {
  const CpuidSource host = CpuidSource::Host();
  const CpuidRegisters first = host.cpuid(0, 0);
  EXPECT_GE(first.eax, 1u);
  EXPECT_NE(first.ebx, 0u);
  constexpr uint32_t kOsxsave = 1u << 27;
  if ((host.cpuid(1, 0).ecx & kOsxsave) == 0) GTEST_SKIP() << "XCR0 cannot be read here";
  // x87 state is always enabled.
  EXPECT_EQ(host.xcr0() & 1, 1u);
}

TEST(CpuidTest, NamesRegisters) {
  const CpuidRegisters registers = {1, 2, 3, 4};
  EXPECT_EQ(Get(registers, CpuidRegister::kEax), 1u);
  EXPECT_EQ(Get(registers, CpuidRegister::kEbx), 2u);
  EXPECT_EQ(Get(registers, CpuidRegister::kEcx), 3u);
  EXPECT_EQ(Get(registers, CpuidRegister::kEdx), 4u);
}

}  // namespace
}  // namespace burin::jit

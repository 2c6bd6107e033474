#include "jit/isa/cpuid.h"

#include <cpuid.h>

namespace burin::jit {
namespace {

CpuidRegisters HostCpuid(uint32_t leaf, uint32_t subleaf) {
  CpuidRegisters registers;
  __cpuid_count(leaf, subleaf, registers.eax, registers.ebx, registers.ecx, registers.edx);
  return registers;
}

uint64_t HostXcr0() {
  uint32_t low = 0;
  uint32_t high = 0;
  // The instruction itself: the compiler's intrinsic wants -mxsave, and all of this is for baseline x86-64.
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

}  // namespace

CpuidSource CpuidSource::Host() { return {HostCpuid, HostXcr0}; }

}  // namespace burin::jit

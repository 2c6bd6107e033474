// Reads CPUID and XCR0, or stands in for them in tests.
//
// Use it where a machine is probed (jit/isa/cpu_info.h). Not for asking whether a feature exists: that takes the
// operating system's part and a cap too, and jit/isa/target.h answers it. A `CpuidSource` is a value; the host's may be
// called from any thread, and answers for the core that it runs on.
#ifndef BURIN_JIT_ISA_CPUID_H_
#define BURIN_JIT_ISA_CPUID_H_

#include <cstdint>
#include <functional>

namespace burin::jit {

// Holds what one CPUID instruction returns.
struct CpuidRegisters {
  uint32_t eax = 0;
  uint32_t ebx = 0;
  uint32_t ecx = 0;
  uint32_t edx = 0;
};

// Names one of them.
enum class CpuidRegister : uint8_t { kEax, kEbx, kEcx, kEdx };

// Returns the register of that name.
constexpr uint32_t Get(const CpuidRegisters& registers, CpuidRegister name) {
  switch (name) {
    case CpuidRegister::kEax:
      return registers.eax;
    case CpuidRegister::kEbx:
      return registers.ebx;
    case CpuidRegister::kEcx:
      return registers.ecx;
    case CpuidRegister::kEdx:
      return registers.edx;
  }
  return 0;
}

// Answers for a processor.
struct CpuidSource {
  // Executes CPUID with EAX = leaf and ECX = subleaf. What a leaf beyond the highest returns is the processor's affair
  // (Intel's repeat the last basic one): ask leaf 0 or 0x80000000 first.
  std::function<CpuidRegisters(uint32_t leaf, uint32_t subleaf)> cpuid;

  // Reads XCR0, which registers the operating system saves. Called only where CPUID reports OSXSAVE: elsewhere the
  // instruction does not exist.
  std::function<uint64_t()> xcr0;

  // Returns the source that asks the processor.
  static CpuidSource Host();
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ISA_CPUID_H_

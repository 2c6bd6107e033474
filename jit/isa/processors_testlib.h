// Stands in for processors in tests: what their CPUID answers, as recorded from real ones.
//
// Each function returns a fresh value, which a test may change before it asks for a source. Only the leaves that the
// project reads are recorded, of the first logical processor. Value type; thread-safe.
#ifndef BURIN_JIT_ISA_PROCESSORS_TESTLIB_H_
#define BURIN_JIT_ISA_PROCESSORS_TESTLIB_H_

#include <cstdint>
#include <map>
#include <utility>

#include "jit/isa/cpuid.h"

namespace burin::jit {

// Holds a processor's answers, and what its operating system saves.
struct Processor {
  // By leaf and subleaf. A leaf up to the highest that is not here answers zeros.
  std::map<std::pair<uint32_t, uint32_t>, CpuidRegisters> leaves;
  uint64_t xcr0 = 0;

  // Returns the registers of a leaf, to change them.
  CpuidRegisters& At(uint32_t leaf, uint32_t subleaf = 0) { return leaves[{leaf, subleaf}]; }

  // Returns a source that answers like the processor: an Intel processor repeats its highest basic leaf beyond the last
  // one, and XCR0 cannot be read where OSXSAVE is not reported (the test fails).
  CpuidSource Source() const;
};

// Return what a processor says under an operating system that enables all that it knows of.
Processor Nehalem();         // Below AVX.
Processor Haswell();         // Core i7-4770.
Processor SkylakeServer();   // Xeon Gold 6130.
Processor IceLakeServer();   // Xeon Gold 6330.
Processor SapphireRapids();  // Xeon w7-2475X.
Processor EmeraldRapids();   // Xeon Gold 5520+.
Processor GraniteRapids();   // Xeon 658X.
Processor AlderLake();       // Core i9-12900K, a performance core.
Processor Zen2();            // EPYC 7742.
Processor Zen3();            // EPYC 7713.
Processor Zen4();            // EPYC 9654.
Processor Zen5();            // EPYC 9655.

// Returns Emerald Rapids as a hypervisor shows it that hides AMX.
Processor EmeraldRapidsGuest();

// Returns Zen 4 as a hypervisor shows it that lets no operating system enable AVX: without OSXSAVE.
Processor Zen4WithoutOsxsave();

// Returns Zen 4 as of a virtual machine with two processors, recorded there.
Processor Zen4Guest();

}  // namespace burin::jit

#endif  // BURIN_JIT_ISA_PROCESSORS_TESTLIB_H_

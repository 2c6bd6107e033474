// Runs AMX and AVX-VNNI instructions on a processor that lacks them.
//
// For tests only. Such an instruction raises SIGILL; the handler carries it out on the thread's own state and steps
// over it. A trap costs some microseconds; all other code runs at full speed. It cannot fake CPUID: the code under test
// must be told what to use by an override. Where the processor has an instruction, it is never trapped.
//
// Linux gives a signal handler and what follows it fresh tile data on real AMX; here tiles survive signals. Everything
// is per process: install once, from main or a test's set-up, before threads start that rely on it.
#ifndef BURIN_TESTING_EMULATION_EMULATOR_H_
#define BURIN_TESTING_EMULATION_EMULATOR_H_

#include <cstdint>

#include "absl/status/status.h"

namespace burin::emulation {

struct EmulatorOptions {
  // Answers arch_prctl's questions about the permission to use AMX as a machine with AMX does. Needs seccomp, which
  // then stays for the life of the process.
  bool grant_amx_permission = false;
};

// How many instructions were carried out since the installation, in all threads.
struct EmulatorCounts {
  int64_t amx = 0;
  int64_t avx_vnni = 0;
  // SIGILLs that were handed on to whoever handled them before.
  int64_t passed_on = 0;
};

// Installs the handler of SIGILL; a second call puts it on top of a handler that was installed since. Unimplemented
// where the processor has no AVX2, FMA and F16C, which the arithmetic needs, or the system no seccomp that the options
// need; Internal with the call that failed.
absl::Status InstallEmulator(const EmulatorOptions& options = {});

EmulatorCounts CountsOfEmulator();

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_EMULATOR_H_

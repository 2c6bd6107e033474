// Says which kernel, and which part of it, a fault was in.
//
// Use it where a process dies in generated code and nobody knows where: on SIGSEGV, SIGBUS, SIGILL or SIGFPE raised by
// an instruction of a kernel, one line on stderr names the kernel, the last of its marks (Assembler::Mark()), the
// offset, the address that was accessed and the bytes of the instruction; then the signal goes on its way. Not a
// handler of faults: it repairs nothing and ends nothing.
//
//   burin: SIGSEGV in kernel fused+0x8b (%1 f32[a0] = Load(input0)), address 0x7f2a91c0f000, instruction c5 fc 10 07
//
// Whoever handled the signal before is called as if there were nothing else: after the line, or for SIGILL before it,
// since such a handler may carry out the instruction (an emulator of what the processor lacks); there is no line where
// it does. Where nobody did, the instruction runs again and ends the process at its true address. The handler runs on
// the alternate stack where the thread has one. All functions may be called from any thread.
#ifndef BURIN_JIT_DEBUG_FAULT_LOCATOR_H_
#define BURIN_JIT_DEBUG_FAULT_LOCATOR_H_

#include "absl/status/status.h"

namespace burin::jit {

// Installs the handlers, and gives the calling thread an alternate stack where it has none. A second call does nothing.
// Internal, with the call that failed.
absl::Status InstallFaultLocator();

// Installs them where BURIN_LOCATE_FAULTS is 1 in the environment, which is read once. Failures are warnings in the
// log, and so is a value other than 0 and 1.
void InstallFaultLocatorIfAsked();

}  // namespace burin::jit

#endif  // BURIN_JIT_DEBUG_FAULT_LOCATOR_H_

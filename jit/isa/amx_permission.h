// Asks the operating system for the right to use AMX's tile registers.
//
// Linux saves 8 KiB of tiles only for processes that ask (5.16 and later); until then a tile instruction raises SIGILL.
// Ask when code for AMX is about to be generated, never at start-up: the right changes the size of signal frames for
// good. Thread-safe.
#ifndef BURIN_JIT_ISA_AMX_PERMISSION_H_
#define BURIN_JIT_ISA_AMX_PERMISSION_H_

#include "absl/status/status.h"

namespace burin::jit {

// Asks for this process and all its threads, once: later calls return the first answer. Unimplemented where the kernel
// or the processor has no such state, ResourceExhausted where a thread's alternate signal stack is too small for it,
// PermissionDenied where a policy forbids it; the message has the reason.
absl::Status RequestAmxPermission();

// Returns the status above for the error number that the system call gives; 0 is OK.
absl::Status AmxPermissionStatus(int error_number);

}  // namespace burin::jit

#endif  // BURIN_JIT_ISA_AMX_PERMISSION_H_

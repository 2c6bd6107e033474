// Carries out the instruction at which a thread was stopped by SIGILL.
//
// Private to the emulator. Works on the machine context that the kernel handed to the signal handler and on the
// thread's own tiles; async-signal-safe.
#ifndef BURIN_TESTING_EMULATION_TRAP_H_
#define BURIN_TESTING_EMULATION_TRAP_H_

#include <ucontext.h>

#include <cstdint>

#include "testing/emulation/tile_state.h"

namespace burin::emulation {

enum class Family : uint8_t { kNone, kAmx, kAvxVnni };

struct TrapOutcome {
  Family family = Family::kNone;  // kNone: the instruction is none of ours; nothing has changed.
  // Where not kNone, the instruction has not been carried out and the context still points at it.
  Fault fault = Fault::kInvalidOpcode;
};

// Carries out the instruction at the context's instruction pointer and steps over it.
TrapOutcome CarryOut(ucontext_t* context, TileState* tiles);

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_TRAP_H_

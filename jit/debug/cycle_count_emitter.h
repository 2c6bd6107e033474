// Emits code that counts the ticks which parts of a kernel take.
//
// Use it where a kernel is asked to be generated with counters (jit/debug/cycle_counters.h); such code has another key
// in the code cache than code without. Not for kernels whose time is measured.
//
//   CycleCountEmitter counting(code, frame);
//   ...
//   const StackSlot start = counting.Begin();
//   ... the part ...
//   counting.End(start, qword[...], part);
//
// Parts may lie within each other, be entered any number of times and by any number of threads: the counters are added
// to by locked instructions. The counter is read when all before it has ended and before anything after it begins, so
// that a part has what it takes alone.
//
// Registers: rax and rdx, which keep their contents where they are on loan; the flags are changed. An emitter belongs
// to one thread, and to one kernel.
#ifndef BURIN_JIT_DEBUG_CYCLE_COUNT_EMITTER_H_
#define BURIN_JIT_DEBUG_CYCLE_COUNT_EMITTER_H_

#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"

namespace burin::jit {

// Emits the counting of one kernel.
class CycleCountEmitter {
 public:
  // Takes a piece of the stack, as long as it lives. Both outlive it.
  CycleCountEmitter(Assembler& code, AbiFrame& frame);

  // Begins a part. Returns where its start is kept, to be given to End().
  StackSlot Begin();

  // Ends the part that Begin() began: adds what it took, and 1 entry, to counter `part` of the array of CycleCount
  // whose address lies at `counts` (in memory; addressed by neither rax nor rdx).
  void End(const StackSlot& start, const Address& counts, int part);

 private:
  // Emits the saving and restoring of rax and rdx where they are on loan.
  void Save();
  void Restore();
  // Emits the reading of the counter into rax; rdx is used.
  void ReadCounter();

  Assembler& code_;
  AbiFrame& frame_;
  StackSlot saved_rax_;
  StackSlot saved_rdx_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_DEBUG_CYCLE_COUNT_EMITTER_H_

#include "jit/debug/cycle_count_emitter.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "jit/asm/reg_pool.h"
#include "jit/debug/cycle_counters.h"

namespace burin::jit {
namespace {

// The prefix that makes one addition of reading, adding and writing.
constexpr uint8_t kLock[] = {0xf0};

}  // namespace

CycleCountEmitter::CycleCountEmitter(Assembler& code, AbiFrame& frame)
    : code_(code), frame_(frame), saved_rax_(frame.Slot(8, "saved_rax")), saved_rdx_(frame.Slot(8, "saved_rdx")) {}

void CycleCountEmitter::Save() {
  if (!code_.regs().IsFree(RegClass::kGpr, reg::rax.getIdx())) code_.mov(saved_rax_.At(), reg::rax);
  if (!code_.regs().IsFree(RegClass::kGpr, reg::rdx.getIdx())) code_.mov(saved_rdx_.At(), reg::rdx);
}

void CycleCountEmitter::Restore() {
  if (!code_.regs().IsFree(RegClass::kGpr, reg::rax.getIdx())) code_.mov(reg::rax, saved_rax_.At());
  if (!code_.regs().IsFree(RegClass::kGpr, reg::rdx.getIdx())) code_.mov(reg::rdx, saved_rdx_.At());
}

void CycleCountEmitter::ReadCounter() {
  constexpr int kHighBits = 32;
  code_.lfence();
  code_.rdtsc();
  code_.lfence();
  code_.shl(reg::rdx, kHighBits);
  code_.or_(reg::rax, reg::rdx);
}

StackSlot CycleCountEmitter::Begin() {
  StackSlot start = frame_.Slot(8, "part_start");
  Save();
  ReadCounter();
  code_.mov(start.At(), reg::rax);
  Restore();
  return start;
}

void CycleCountEmitter::End(const StackSlot& start, const Address& counts, int part) {
  Save();
  ReadCounter();
  code_.sub(reg::rax, start.At());
  code_.mov(reg::rdx, counts);
  const int count = part * static_cast<int>(sizeof(CycleCount));
  code_.Bytes(kLock);
  code_.add(qword[reg::rdx + (count + static_cast<int>(offsetof(CycleCount, ticks)))], reg::rax);
  code_.Bytes(kLock);
  code_.add(qword[reg::rdx + (count + static_cast<int>(offsetof(CycleCount, entries)))], 1);
  Restore();
}

}  // namespace burin::jit

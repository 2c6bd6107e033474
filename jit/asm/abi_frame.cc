#include "jit/asm/abi_frame.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "jit/asm/code_blob.h"

namespace burin::jit {
namespace {

constexpr int kSlotAlignment = 64;

// Of the longest entry: push rbp (1); mov rbp, rsp (3); push of rbx (1) and of r12 to r15 (8); and rsp, -64 (4);
// sub rsp, imm32 (7).
constexpr size_t kEntryBytes = 24;

// What a callee saves, rbp apart, in the order of the pushes.
constexpr int kCalleeSaved[] = {Operand::RBX, Operand::R12, Operand::R13, Operand::R14, Operand::R15};

uint32_t SavedOf(uint32_t touched) {
  uint32_t saved = 0;
  for (const int index : kCalleeSaved) saved |= touched & uint32_t{1} << index;
  return saved;
}

bool Has(uint32_t bits, int index) { return (bits >> index & 1) != 0; }

}  // namespace

StackSlot::~StackSlot() {
  if (frame_ != nullptr) frame_->ReturnSlot(offset_, bytes_);
}

AbiFrame::AbiFrame(Assembler& code) : code_(code), args_(code.regs().GprAt(reg::rdi, "args")) {
  BURIN_CHECK_EQ(code.offset(), size_t{0}) << "a frame begins where the code does";
  code_.Nops(kEntryBytes);
}

AbiFrame::~AbiFrame() {
  if (!finished_) code_.Fail(absl::InternalError(absl::StrCat("Frame is not finished, kernel: ", code_.name())));
}

void AbiFrame::LoadInteger(const Reg64& to, int32_t offset, int32_t bytes, bool is_signed) {
  const auto from = args_ + offset;
  switch (bytes) {
    case 8:
      code_.mov(to, qword[from]);
      break;
    case 4:
      if (is_signed) {
        code_.movsxd(to, dword[from]);
      } else {
        code_.mov(to.cvt32(), dword[from]);
      }
      break;
    case 2:
      if (is_signed) {
        code_.movsx(to, word[from]);
      } else {
        code_.movzx(to.cvt32(), word[from]);
      }
      break;
    default:
      if (is_signed) {
        code_.movsx(to, byte[from]);
      } else {
        code_.movzx(to.cvt32(), byte[from]);
      }
      break;
  }
}

StackSlot AbiFrame::Slot(int bytes, absl::string_view name) {
  BURIN_CHECK_GT(bytes, 0);
  const int units = (std::min(bytes, kMaxSlotBytes + 1) + kUnitBytes - 1) / kUnitBytes;
  int alignment = 1;
  while (alignment < units && alignment * kUnitBytes < kSlotAlignment) alignment *= 2;
  for (int first = 0; first + units <= kUnits; first += alignment) {
    bool free = true;
    for (int unit = first; unit < first + units && free; ++unit) free = !units_[static_cast<size_t>(unit)];
    if (!free) continue;
    for (int unit = first; unit < first + units; ++unit) units_.set(static_cast<size_t>(unit));
    peak_units_ = std::max(peak_units_, first + units);
    return StackSlot(this, first * kUnitBytes, bytes);
  }
  code_.Fail(absl::ResourceExhaustedError(absl::StrCat("No stack left: ", bytes, " bytes for \"", name, "\" of ",
                                                       kMaxSlotBytes, ", kernel: ", code_.name())));
  return StackSlot(nullptr, 0, bytes);
}

void AbiFrame::ReturnSlot(int offset, int bytes) {
  const int first = offset / kUnitBytes;
  const int units = (bytes + kUnitBytes - 1) / kUnitBytes;
  for (int unit = first; unit < first + units; ++unit) units_.reset(static_cast<size_t>(unit));
}

int AbiFrame::StackBytes() const { return (slot_bytes() + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment; }

void AbiFrame::EmitEntry(Assembler& code, uint32_t saved) const {
  code.push(reg::rbp);
  code.mov(reg::rbp, reg::rsp);
  for (const int index : kCalleeSaved) {
    if (Has(saved, index)) code.push(Reg64(index));
  }
  if (StackBytes() != 0) {
    code.and_(reg::rsp, -kSlotAlignment);
    code.sub(reg::rsp, StackBytes());
  }
}

void AbiFrame::Finish() {
  BURIN_CHECK(!finished_) << "a frame is finished once";
  finished_ = true;
  const uint32_t saved = SavedOf(code_.regs().touched_gprs());
  code_.Mark("exit");
  code_.Bind(exit_);
  if (code_.uses_upper_halves()) code_.vzeroupper();
  int count = 0;
  for (const int index : kCalleeSaved) count += Has(saved, index) ? 1 : 0;
  if (StackBytes() != 0) code_.lea(reg::rsp, ptr[reg::rbp - 8 * count]);
  for (auto index = std::rbegin(kCalleeSaved); index != std::rend(kCalleeSaved); ++index) {
    if (Has(saved, *index)) code_.pop(Reg64(*index));
  }
  code_.pop(reg::rbp);
  code_.ret();

  Assembler entry(absl::StrCat(code_.name(), " (entry)"), code_.isa());
  EmitEntry(entry, saved);
  entry.Nops(kEntryBytes - entry.offset());
  absl::StatusOr<CodeBlob> blob = std::move(entry).Finalize();
  if (!blob.ok()) {
    code_.Fail(blob.status());
    return;
  }
  // Where the code has overflowed there is nothing to write over.
  if (code_.offset() >= kEntryBytes) code_.Patch(0, blob->bytes);
}

}  // namespace burin::jit

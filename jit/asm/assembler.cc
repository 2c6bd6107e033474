#include "jit/asm/assembler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

// More than any instruction takes, and than xbyak looks ahead.
constexpr size_t kMaxInstructionBytes = 32;
constexpr uint8_t kInt3 = 0xcc;

// What an encoding needs, as a bit: a feature's value, or one of the levels below.
struct Need {
#define BURIN_ISA_FEATURE(enumerator, name, leaf, subleaf, reg, bit, state, implied) \
  static constexpr int enumerator = static_cast<int>(IsaFeature::enumerator);
#include "jit/isa/isa.inc"
#undef BURIN_ISA_FEATURE
  static constexpr int kFeatures = static_cast<int>(std::size(kAllIsaFeatures));
  static constexpr int kNone = 63;
  static constexpr int kBase = 62;
};
static_assert(Need::kFeatures <= 60, "features leave bits 60 to 63 to the levels");

// The columns of the table say kAvx2 and kAvx512 for the levels.
struct Column : Need {
  static constexpr int kAvx2 = 61;
  static constexpr int kAvx512 = 60;
};

// The kinds of registers beside vectors of one width that a vector instruction takes.
enum KindRule : uint8_t { kAnyKinds = 1, kAnyWidths = 2, kGprs = 4, kMasks = 8 };

// Names the instructions of a rule by the beginning of their mnemonics.
struct KindRulePrefix {
  absl::string_view prefix;
  uint8_t rule;
};

constexpr KindRulePrefix kKindRules[] = {
    {"vcvt", kAnyWidths | kGprs},
    {"vpmov", kAnyWidths | kGprs | kMasks},
    {"vextract", kAnyWidths | kGprs},
    {"vinsert", kAnyWidths},
    {"vbroadcast", kAnyWidths},
    {"vpbroadcast", kAnyWidths | kGprs | kMasks},
    {"vpsl", kAnyWidths},
    {"vpsra", kAnyWidths},
    {"vpsrl", kAnyWidths},
    {"vmovd", kGprs},
    {"vmovq", kGprs},
    {"vmovw", kGprs},
    {"vmovmsk", kGprs},
    {"vpextr", kGprs},
    {"vpinsr", kGprs},
    {"vcmp", kMasks},
    {"vpcmp", kMasks},
    {"vptestm", kMasks},
    {"vptestnm", kMasks},
    {"vfpclass", kMasks},
    {"vpshufbitqmb", kMasks},
};

constexpr uint8_t KindRuleOf(absl::string_view name) {
  if (name[0] != 'v') return kAnyKinds;
  uint8_t rule = 0;
  for (const KindRulePrefix& entry : kKindRules) {
    if (name.substr(0, entry.prefix.size()) == entry.prefix) rule |= entry.rule;
  }
  return rule;
}

struct InstructionInfo {
  absl::string_view name;
  uint8_t needs;
  uint8_t evex_needs;
  uint8_t kinds;
};

constexpr InstructionInfo kInstructions[] = {
#define BURIN_INSTRUCTION(mnemonic, needs, evex_needs) \
  {#mnemonic, Column::needs, Column::evex_needs, KindRuleOf(#mnemonic)},
#define BURIN_JUMP(mnemonic) {#mnemonic, Column::kBase, Column::kNone, kAnyKinds},
#include "jit/asm/instructions.inc"
#undef BURIN_INSTRUCTION
#undef BURIN_JUMP
};

std::string NeedName(int need) {
  if (need == Column::kAvx2) return absl::StrCat("level ", Name(IsaLevel::kAvx2));
  if (need == Column::kAvx512) return absl::StrCat("level ", Name(IsaLevel::kAvx512));
  return std::string(Name(static_cast<IsaFeature>(need)));
}

uint64_t AllowedNeeds(const IsaSet& isa) {
  uint64_t allowed = uint64_t{1} << Need::kBase;
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (isa.Has(feature)) allowed |= uint64_t{1} << static_cast<int>(feature);
  }
  if (isa.Supports(IsaLevel::kAvx2)) allowed |= uint64_t{1} << Column::kAvx2;
  if (isa.Supports(IsaLevel::kAvx512)) allowed |= uint64_t{1} << Column::kAvx512;
  return allowed;
}

enum class Encoding { kLegacy, kVex, kEvex };

struct Decoded {
  Encoding encoding;
  bool wide;
};

// Tells the encoding of one instruction, and whether its vectors have more than 128 bits. In 64-bit code the bytes c4,
// c5 and 62 are always prefixes.
Decoded Decode(absl::Span<const uint8_t> bytes) {
  size_t i = 0;
  while (i < bytes.size() && (bytes[i] == 0x67 || bytes[i] == 0x66 || bytes[i] == 0xf2 || bytes[i] == 0xf3)) ++i;
  const size_t rest = bytes.size() - i;
  if (rest >= 4 && bytes[i] == 0x62) {
    // With the broadcast bit on registers L'L is a rounding mode of 512-bit vectors.
    return {Encoding::kEvex, (bytes[i + 3] & 0x70) != 0};
  }
  if (rest >= 3 && bytes[i] == 0xc4) return {Encoding::kVex, (bytes[i + 2] & 4) != 0};
  if (rest >= 2 && bytes[i] == 0xc5) return {Encoding::kVex, (bytes[i + 1] & 4) != 0};
  return {Encoding::kLegacy, false};
}

}  // namespace

Assembler::Assembler(absl::string_view name, const IsaSet& isa)
    : Xbyak::CodeGenerator(kInitialBytes, buffer_.data()),
      name_(name),
      isa_(isa),
      allowed_(AllowedNeeds(isa)),
      regs_(isa) {
  // What is left there belongs to operands that nobody emitted.
  Xbyak::ClearError();
  setDefaultJmpNEAR(true);
}

bool Assembler::Reserve(size_t bytes) {
  if (maxSize_ - size_ >= bytes) return true;
  const size_t wanted = size_ + bytes;
  if (wanted > kMaxCodeBytes) {
    SetError(absl::StatusCode::kResourceExhausted, "code", absl::StrCat("larger than ", kMaxCodeBytes, " bytes"),
             size_);
    return false;
  }
  buffer_.resize(std::min(std::max(wanted, 2 * maxSize_), kMaxCodeBytes));
  top_ = buffer_.data();
  maxSize_ = buffer_.size();
  return true;
}

void Assembler::BeginInstruction(internal::Mnemonic mnemonic) {
  Reserve(kMaxInstructionBytes);
  start_ = size_;
  mnemonic_ = mnemonic;
  kinds_ = 0;
  const InstructionInfo& info = kInstructions[static_cast<size_t>(mnemonic)];
  if (info.needs < Need::kFeatures && info.evex_needs < Need::kFeatures) {
    // Each encoding has a feature of its own: the shorter one where the machine has it.
    setDefaultEncoding((allowed_ >> info.needs & 1) != 0 ? Xbyak::VexEncoding : Xbyak::EvexEncoding);
  }
}

void Assembler::EndInstruction() {
  if (ABSL_PREDICT_FALSE(Xbyak::GetError() != Xbyak::ERR_NONE)) {
    TakeXbyakError(kInstructions[static_cast<size_t>(mnemonic_)].name, start_);
    return;
  }
  CheckKinds();
  CheckEncoding(absl::MakeConstSpan(top_ + start_, size_ - start_));
}

void Assembler::CheckKinds() {
  const InstructionInfo& info = kInstructions[static_cast<size_t>(mnemonic_)];
  if ((info.kinds & kAnyKinds) != 0) return;
  const int widths = kinds_ & (Operand::XMM | Operand::YMM | Operand::ZMM);
  if ((widths & (widths - 1)) != 0 && (info.kinds & kAnyWidths) == 0) {
    SetError(absl::StatusCode::kInternal, info.name, "vectors of different widths", start_);
  } else if ((kinds_ & Operand::REG) != 0 && (info.kinds & kGprs) == 0) {
    SetError(absl::StatusCode::kInternal, info.name, "a general register for a vector", start_);
  } else if ((kinds_ & Operand::OPMASK) != 0 && (info.kinds & kMasks) == 0) {
    SetError(absl::StatusCode::kInternal, info.name, "a mask for a vector", start_);
  }
}

void Assembler::CheckEncoding(absl::Span<const uint8_t> bytes) {
  const Decoded decoded = Decode(bytes);
  const InstructionInfo& info = kInstructions[static_cast<size_t>(mnemonic_)];
  uses_upper_halves_ |= decoded.wide;
  const int need = decoded.encoding == Encoding::kEvex ? info.evex_needs : info.needs;
  if (ABSL_PREDICT_TRUE((allowed_ >> need & 1) != 0)) return;
  if (need == Need::kNone) {
    SetError(absl::StatusCode::kInternal, info.name, "an encoding that instructions.inc does not have", start_);
    return;
  }
  SetError(absl::StatusCode::kInternal, info.name,
           absl::StrCat("needs ", NeedName(need), "; the machine has: ", isa_.ToString()), start_);
}

void Assembler::CheckOperand(const Address& address) {
  const bool absolute = address.getMode() == Address::M_ripAddr || address.getMode() == Address::M_64bitDisp ||
                        (address.getMode() == Address::M_ModRM && address.isOnlyDisp());
  if (absolute) {
    SetError(absl::StatusCode::kInternal, kInstructions[static_cast<size_t>(mnemonic_)].name, "an absolute address",
             start_);
  }
}

void Assembler::RefuseNoRegister() {
  SetError(absl::StatusCode::kInternal, kInstructions[static_cast<size_t>(mnemonic_)].name,
           "an operand whose register was given back", start_);
}

void Assembler::SetError(absl::StatusCode code, absl::string_view what, absl::string_view why, size_t offset) {
  if (!status_.ok()) return;
  status_ = absl::Status(
      code, absl::StrCat("Kernel cannot be generated: ", why, ", at ", what, ", offset ", offset, ", kernel: ", name_));
}

void Assembler::TakeXbyakError(absl::string_view what, size_t offset) {
  SetError(absl::StatusCode::kInternal, what, Xbyak::ConvertErrorToString(Xbyak::GetError()), offset);
  Xbyak::ClearError();
}

void Assembler::Bind(Label& label) {
  L(label);
  if (Xbyak::GetError() != Xbyak::ERR_NONE) TakeXbyakError("a label", size_);
}

void Assembler::Align(size_t alignment) {
  BURIN_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= 64) << alignment;
  Nops((alignment - size_ % alignment) % alignment);
}

void Assembler::Nops(size_t bytes) {
  if (Reserve(bytes)) nop(bytes);
}

void Assembler::Bytes(absl::Span<const uint8_t> bytes) {
  if (!Reserve(bytes.size())) return;
  std::copy(bytes.begin(), bytes.end(), top_ + size_);
  size_ += bytes.size();
}

void Assembler::Patch(size_t offset, absl::Span<const uint8_t> bytes) {
  BURIN_CHECK(offset <= size_ && bytes.size() <= size_ - offset) << offset << " + " << bytes.size();
  std::copy(bytes.begin(), bytes.end(), top_ + offset);
}

Address Assembler::At(const Constant& constant, int extra) {
  return ptr[rip + constants_label_ + (static_cast<int>(constant.offset) + extra)];
}

Address Assembler::BroadcastAt(const Constant& constant) {
  return ptr_b[rip + constants_label_ + static_cast<int>(constant.offset)];
}

void Assembler::Mark(absl::string_view text) { marks_.push_back({size_, std::string(text)}); }

void Assembler::Fail(const absl::Status& status) {
  BURIN_CHECK(!status.ok());
  if (status_.ok()) status_ = status;
}

absl::Status Assembler::status() const { return regs_.status().ok() ? status_ : regs_.status(); }

absl::StatusOr<CodeBlob> Assembler::Finalize() && {
  if (finalized_) return absl::FailedPreconditionError(absl::StrCat("Finalized twice: ", name_));
  finalized_ = true;
  CodeBlob blob;
  blob.code_bytes = size_;
  if (!constants_.bytes().empty()) {
    const std::vector<uint8_t> padding(
        (ConstantPool::kAlignment - size_ % ConstantPool::kAlignment) % ConstantPool::kAlignment, kInt3);
    Bytes(padding);
    Bind(constants_label_);
    Bytes(constants_.bytes());
  }
  if (!regs_.status().ok()) {
    return absl::Status(regs_.status().code(), absl::StrCat(regs_.status().message(), ", kernel: ", name_));
  }
  BURIN_RETURN_IF_ERROR(status_);
  if (hasUndefinedLabel()) {
    return absl::InternalError(absl::StrCat("Kernel cannot be generated: a label is not bound, kernel: ", name_));
  }
  if (blob.code_bytes == 0) {
    return absl::InternalError(absl::StrCat("Kernel cannot be generated: there is no code, kernel: ", name_));
  }
  blob.name = name_;
  buffer_.resize(size_);
  blob.bytes = std::move(buffer_);
  blob.marks = std::move(marks_);
  for (const RegLoan& loan : regs_.TakeLoans()) absl::StrAppend(&blob.registers, loan.reg, " = ", loan.name, "\n");
  absl::StrAppend(&blob.registers, regs_.Report());
  return blob;
}

}  // namespace burin::jit

#include "jit/asm/reg_pool.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace burin::jit {
namespace {

// Registers that a callee may change come first, arguments last among them, then those that the frame must save.
constexpr int kGprOrder[] = {Operand::RAX, Operand::R11, Operand::R10, Operand::R9,  Operand::R8,
                             Operand::RCX, Operand::RDX, Operand::RSI, Operand::RDI, Operand::RBX,
                             Operand::R12, Operand::R13, Operand::R14, Operand::R15};

absl::string_view ClassName(RegClass reg_class) {
  switch (reg_class) {
    case RegClass::kGpr:
      return "general";
    case RegClass::kVec:
      return "vector";
    case RegClass::kMask:
      return "mask";
    case RegClass::kTile:
      return "tile";
  }
  return "unknown";
}

uint32_t LowBits(int count) { return count >= 32 ? ~uint32_t{0} : (uint32_t{1} << count) - 1; }

bool HasBit(uint32_t bits, int index) { return index >= 0 && index < 32 && (bits >> index & 1) != 0; }

}  // namespace

RegPool::RegPool(const IsaSet& isa) {
  const bool avx512 = isa.Supports(IsaLevel::kAvx512);
  vector_bits_ = avx512 ? 512 : 256;
  uint32_t gprs = 0;
  for (const int index : kGprOrder) gprs |= uint32_t{1} << index;
  Define(RegClass::kGpr, gprs);
  Define(RegClass::kVec, LowBits(avx512 ? 32 : 16));
  Define(RegClass::kMask, avx512 ? LowBits(8) & ~uint32_t{1} : 0);
  Define(RegClass::kTile, isa.Has(IsaFeature::kAmxTile) ? LowBits(8) : 0);
}

RegPool::~RegPool() {
  for (const RegFile& file : files_) {
    BURIN_CHECK_EQ(file.in_use + file.missing, 0) << "registers outlive their pool: " << Report();
  }
}

void RegPool::Define(RegClass reg_class, uint32_t members) {
  RegFile& file = File(reg_class);
  file.members = members;
  file.free = members;
  for (uint32_t rest = members; rest != 0; rest &= rest - 1) ++file.capacity;
}

GprReg RegPool::Gpr(absl::string_view name) {
  const int index = Take(RegClass::kGpr, name);
  return GprReg(Reg64(std::max(index, 0)), this, index);
}

GprReg RegPool::GprAt(const Reg64& reg, absl::string_view name) {
  const int index = TakeAt(RegClass::kGpr, reg.getIdx(), name);
  return GprReg(Reg64(std::max(index, 0)), this, index);
}

VecReg RegPool::MakeVec(int index, int bits) {
  const int width = bits == 0 ? vector_bits_ : bits;
  const Operand::Kind kind = width == 512 ? Operand::ZMM : width == 256 ? Operand::YMM : Operand::XMM;
  return VecReg(Xmm(kind, std::max(index, 0)), this, index);
}

VecReg RegPool::Vec(absl::string_view name, int bits) { return MakeVec(Take(RegClass::kVec, name), bits); }

VecReg RegPool::VecAt(int index, absl::string_view name, int bits) {
  return MakeVec(TakeAt(RegClass::kVec, index, name), bits);
}

MaskReg RegPool::Mask(absl::string_view name) {
  const int index = Take(RegClass::kMask, name);
  return MaskReg(Opmask(std::max(index, 1)), this, index);
}

MaskReg RegPool::MaskAt(int index, absl::string_view name) {
  const int taken = TakeAt(RegClass::kMask, index, name);
  return MaskReg(Opmask(std::max(taken, 1)), this, taken);
}

TileReg RegPool::Tile(absl::string_view name) {
  const int index = Take(RegClass::kTile, name);
  return TileReg(Tmm(std::max(index, 0)), this, index);
}

TileReg RegPool::TileAt(int index, absl::string_view name) {
  const int taken = TakeAt(RegClass::kTile, index, name);
  return TileReg(Tmm(std::max(taken, 0)), this, taken);
}

bool RegPool::IsFree(RegClass reg_class, int index) const { return HasBit(File(reg_class).free, index); }

int RegPool::available(RegClass reg_class) const { return File(reg_class).capacity - File(reg_class).in_use; }

int RegPool::Take(RegClass reg_class, absl::string_view name) {
  RegFile& file = File(reg_class);
  int found = -1;
  if (reg_class == RegClass::kGpr) {
    for (const int index : kGprOrder) {
      if (HasBit(file.free, index)) {
        found = index;
        break;
      }
    }
  } else {
    for (int index = 0; index < kMaxRegs && found < 0; ++index) {
      if (HasBit(file.free, index)) found = index;
    }
  }
  if (found < 0) {
    Fail(file, reg_class, absl::StrCat("a ", ClassName(reg_class), " register"), name);
    return -1;
  }
  Grant(file, reg_class, found, name);
  return found;
}

int RegPool::TakeAt(RegClass reg_class, int index, absl::string_view name) {
  RegFile& file = File(reg_class);
  if (!HasBit(file.free, index)) {
    const bool known = index >= 0 && index < kMaxRegs;
    Fail(file, reg_class, known ? RegName(reg_class, index) : absl::StrCat(ClassName(reg_class), " register ", index),
         name);
    return -1;
  }
  Grant(file, reg_class, index, name);
  return index;
}

void RegPool::Grant(RegFile& file, RegClass reg_class, int index, absl::string_view name) {
  const uint32_t bit = uint32_t{1} << index;
  file.free &= ~bit;
  ++file.in_use;
  file.peak = std::max(file.peak, file.in_use + file.missing);
  std::string& holder = file.holders[static_cast<size_t>(index)];
  const bool same = (file.touched & bit) != 0 && holder == name;
  file.touched |= bit;
  if (same) return;
  holder.assign(name.data(), name.size());
  loans_.push_back({holder, RegName(reg_class, index)});
}

void RegPool::Fail(RegFile& file, RegClass reg_class, absl::string_view wanted, absl::string_view name) {
  ++file.missing;
  file.peak = std::max(file.peak, file.in_use + file.missing);
  if (!status_.ok()) return;
  status_ = absl::ResourceExhaustedError(absl::StrCat("Register not available: ", wanted, " for \"", name, "\"; of ",
                                                      file.capacity, " on loan: ", DescribeHolders(reg_class)));
}

void RegPool::GiveBack(RegClass reg_class, int index) {
  RegFile& file = File(reg_class);
  if (index < 0) {
    --file.missing;
    return;
  }
  BURIN_DCHECK(!HasBit(file.free, index)) << "given back twice: " << RegName(reg_class, index);
  file.free |= uint32_t{1} << index;
  --file.in_use;
}

std::string RegPool::RegName(RegClass reg_class, int index) const {
  switch (reg_class) {
    case RegClass::kGpr:
      return index < 16 ? Reg64(index).toString() : absl::StrCat("r", index);
    case RegClass::kVec:
      return absl::StrCat(vector_bits_ == 512 ? "zmm" : "ymm", index);
    case RegClass::kMask:
      return absl::StrCat("k", index);
    case RegClass::kTile:
      return absl::StrCat("tmm", index);
  }
  return "unknown";
}

std::string RegPool::DescribeHolders(RegClass reg_class) const {
  const RegFile& file = File(reg_class);
  std::string text;
  for (int index = 0; index < kMaxRegs; ++index) {
    if (!HasBit(file.members & ~file.free, index)) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", RegName(reg_class, index), "=",
                    file.holders[static_cast<size_t>(index)]);
  }
  return text.empty() ? "none" : text;
}

std::string RegPool::Report() const {
  std::string text;
  for (const RegClass reg_class : {RegClass::kGpr, RegClass::kVec, RegClass::kMask, RegClass::kTile}) {
    const RegFile& file = File(reg_class);
    absl::StrAppend(&text, ClassName(reg_class), ": capacity ", file.capacity, ", peak ", file.peak, ", spills ",
                    std::max(file.peak - file.capacity, 0), ", on loan: ", DescribeHolders(reg_class), "\n");
  }
  return text;
}

}  // namespace burin::jit

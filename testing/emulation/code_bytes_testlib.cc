#include "testing/emulation/code_bytes_testlib.h"

#include <sys/mman.h>

#include <cstring>

#include "base/check.h"

namespace burin::emulation {
namespace {

constexpr size_t kPageBytes = 4096;

}  // namespace

CodeBytes& CodeBytes::Byte(int value) {
  bytes_.push_back(static_cast<uint8_t>(value));
  return *this;
}

CodeBytes& CodeBytes::Push(int reg) {
  if (reg > 7) Byte(0x41);
  return Byte(0x50 | (reg & 7));
}

CodeBytes& CodeBytes::Pop(int reg) {
  if (reg > 7) Byte(0x41);
  return Byte(0x58 | (reg & 7));
}

CodeBytes& CodeBytes::Move(int reg, uint64_t value) {
  Byte(0x48 | reg >> 3).Byte(0xb8 | (reg & 7));
  for (int i = 0; i < 8; ++i) Byte(static_cast<int>(value >> (8 * i) & 0xff));
  return *this;
}

void CodeBytes::VexPrefix(Prefix prefix, int opcode, int reg, int vvvv, int index, int base, bool is_256) {
  const int inverted_high = (reg >> 3 ^ 1) << 7 | (index >> 3 ^ 1) << 6 | (base >> 3 ^ 1) << 5;
  Byte(0xc4).Byte(inverted_high | 2);
  Byte((vvvv ^ 15) << 3 | (is_256 ? 4 : 0) | static_cast<int>(prefix)).Byte(opcode);
}

CodeBytes& CodeBytes::Registers(Prefix prefix, int opcode, int reg, int vvvv, int rm, bool is_256) {
  VexPrefix(prefix, opcode, reg, vvvv, 0, rm, is_256);
  return Byte(0xc0 | (reg & 7) << 3 | (rm & 7));
}

CodeBytes& CodeBytes::Memory(Prefix prefix, int opcode, int reg, int vvvv, int base, int index, int scale,
                             int32_t displacement, int displacement_bytes, bool is_256) {
  VexPrefix(prefix, opcode, reg, vvvv, index, base, is_256);
  // Without a displacement, the base registers rbp and r13 would mean something else.
  const bool needs_displacement = (base & 7) == 5;
  int mod = 2;
  if (displacement_bytes == 0) mod = needs_displacement ? 1 : 0;
  if (displacement_bytes == 1) mod = 1;
  Byte(mod << 6 | (reg & 7) << 3 | 4).Byte(scale << 6 | (index & 7) << 3 | (base & 7));
  if (mod == 1) Byte(displacement & 0xff);
  if (mod == 2) {
    for (int i = 0; i < 4; ++i) Byte(displacement >> (8 * i) & 0xff);
  }
  return *this;
}

CodeBytes& CodeBytes::LoadYmm(int reg) {
  return Byte(0xc4).Byte((reg >> 3 ^ 1) << 7 | 0x61).Byte(0x7e).Byte(0x6f).Byte((reg & 7) << 3);
}

CodeBytes& CodeBytes::StoreYmm(int reg) {
  return Byte(0xc4).Byte((reg >> 3 ^ 1) << 7 | 0x61).Byte(0x7e).Byte(0x7f).Byte((reg & 7) << 3);
}

void CodeBytes::Run() const {
  BURIN_CHECK(bytes_.size() < kPageBytes) << "the code is longer than a page";
  void* const page = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BURIN_CHECK(page != MAP_FAILED) << "mmap failed";
  std::memcpy(page, bytes_.data(), bytes_.size());
  static_cast<uint8_t*>(page)[bytes_.size()] = 0xc3;
  BURIN_CHECK(mprotect(page, kPageBytes, PROT_READ | PROT_EXEC) == 0) << "mprotect failed";
  reinterpret_cast<void (*)()>(page)();
  munmap(page, kPageBytes);
}

}  // namespace burin::emulation

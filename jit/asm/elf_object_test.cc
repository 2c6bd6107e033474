#include "jit/asm/elf_object.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"

namespace burin::jit::internal {
namespace {

template <class T>
T Read(const std::string& file, size_t offset) {
  T value;
  EXPECT_LE(offset + sizeof(value), file.size());
  std::memcpy(&value, file.data() + offset, sizeof(value));
  return value;
}

TEST(ElfObjectTest, NamesTheCode) {
  const uint8_t code[10] = {};
  const std::string file = WriteElfObject("gemm 6x16", code);
  const auto header = Read<Elf64_Ehdr>(file, 0);
  EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  EXPECT_EQ(header.e_machine, EM_X86_64);
  ASSERT_EQ(header.e_shentsize, sizeof(Elf64_Shdr));
  const auto section = [&](size_t index) {
    return Read<Elf64_Shdr>(file, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const Elf64_Shdr names = section(header.e_shstrndx);
  int checked = 0;
  for (size_t i = 1; i < header.e_shnum; ++i) {
    const Elf64_Shdr current = section(i);
    const std::string name = file.data() + names.sh_offset + current.sh_name;
    if (name == ".text") {
      EXPECT_EQ(current.sh_addr, reinterpret_cast<uintptr_t>(code));
      EXPECT_EQ(current.sh_size, 10u);
      EXPECT_EQ(current.sh_type, static_cast<uint32_t>(SHT_NOBITS));
      ++checked;
    } else if (name == ".symtab") {
      const auto symbol = Read<Elf64_Sym>(file, current.sh_offset + sizeof(Elf64_Sym));
      const Elf64_Shdr strings = section(current.sh_link);
      EXPECT_STREQ(file.data() + strings.sh_offset + symbol.st_name, "gemm 6x16");
      EXPECT_EQ(symbol.st_size, 10u);
      EXPECT_EQ(ELF64_ST_TYPE(symbol.st_info), STT_FUNC);
      ++checked;
    }
  }
  EXPECT_EQ(checked, 2);
}

TEST(ElfObjectTest, NamesEndAtANul) {
  const uint8_t code[1] = {};
  const std::string file = WriteElfObject(absl::string_view("ab\0cd", 5), code);
  EXPECT_NE(file.find(std::string("\0ab\0", 4)), std::string::npos);
  EXPECT_EQ(file.find("cd"), std::string::npos);
}

}  // namespace
}  // namespace burin::jit::internal

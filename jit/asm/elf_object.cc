#include "jit/asm/elf_object.h"

#include <elf.h>

#include <cstddef>
#include <cstring>

namespace burin::jit::internal {
namespace {

constexpr char kSectionNames[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
constexpr uint32_t kTextName = 1;
constexpr uint32_t kSymtabName = 7;
constexpr uint32_t kStrtabName = 15;
constexpr uint32_t kShstrtabName = 23;

enum Section : uint16_t { kNull, kText, kSymtab, kStrtab, kShstrtab, kSections };

// The file: header, section headers, symbols, the two string tables.
struct Layout {
  Elf64_Ehdr header;
  Elf64_Shdr sections[kSections];
  // The empty symbol that every table begins with, and the function.
  Elf64_Sym symbols[2];
};

}  // namespace

std::string WriteElfObject(absl::string_view name, absl::Span<const uint8_t> code) {
  name = name.substr(0, name.find('\0'));
  const size_t names_offset = sizeof(Layout);
  const size_t names_size = 1 + name.size() + 1;
  Layout file = {};

  Elf64_Ehdr& header = file.header;
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = ELFOSABI_SYSV;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = offsetof(Layout, sections);
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  header.e_shstrndx = kShstrtab;

  Elf64_Shdr& text = file.sections[kText];
  text.sh_name = kTextName;
  text.sh_type = SHT_NOBITS;
  text.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  text.sh_addr = reinterpret_cast<uintptr_t>(code.data());
  text.sh_size = code.size();
  text.sh_addralign = 1;

  Elf64_Shdr& symtab = file.sections[kSymtab];
  symtab.sh_name = kSymtabName;
  symtab.sh_type = SHT_SYMTAB;
  symtab.sh_offset = offsetof(Layout, symbols);
  symtab.sh_size = sizeof(file.symbols);
  symtab.sh_link = kStrtab;
  // One more than the index of the last local symbol.
  symtab.sh_info = 1;
  symtab.sh_addralign = alignof(Elf64_Sym);
  symtab.sh_entsize = sizeof(Elf64_Sym);

  Elf64_Shdr& strtab = file.sections[kStrtab];
  strtab.sh_name = kStrtabName;
  strtab.sh_type = SHT_STRTAB;
  strtab.sh_offset = names_offset;
  strtab.sh_size = names_size;
  strtab.sh_addralign = 1;

  Elf64_Shdr& shstrtab = file.sections[kShstrtab];
  shstrtab.sh_name = kShstrtabName;
  shstrtab.sh_type = SHT_STRTAB;
  shstrtab.sh_offset = names_offset + names_size;
  shstrtab.sh_size = sizeof(kSectionNames);
  shstrtab.sh_addralign = 1;

  // In a relocatable file a symbol's value counts from its section.
  Elf64_Sym& function = file.symbols[1];
  function.st_name = 1;
  function.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  function.st_shndx = kText;
  function.st_size = code.size();

  std::string bytes(reinterpret_cast<const char*>(&file), sizeof(file));
  bytes.push_back('\0');
  bytes.append(name.data(), name.size());
  bytes.push_back('\0');
  bytes.append(kSectionNames, sizeof(kSectionNames));
  return bytes;
}

}  // namespace burin::jit::internal

#include "jit/asm/asm_dump.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/logging.h"
#include "base/status_macros.h"
#include "jit/asm/disassembler.h"

namespace burin::jit {
namespace {

constexpr size_t kMaxNameBytes = 120;

bool StaysInName(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-' || c == '+'; }

void AppendMarks(const CodeBlob& blob, size_t offset, size_t* next, std::string* text) {
  for (; *next < blob.marks.size() && blob.marks[*next].offset <= offset; ++*next) {
    absl::StrAppend(text, "; ", blob.marks[*next].text, "\n");
  }
}

// Appends the constants, 16 bytes a line, as words and as floats.
void AppendConstants(const CodeBlob& blob, std::string* text) {
  const size_t begin = (blob.code_bytes + 63) / 64 * 64;
  if (begin >= blob.bytes.size()) return;
  absl::StrAppend(text, "\n; constants\n");
  for (size_t offset = begin; offset < blob.bytes.size(); offset += 16) {
    absl::StrAppendFormat(text, "%6x:", offset);
    std::string floats;
    for (size_t i = offset; i < std::min(offset + 16, blob.bytes.size()); i += 4) {
      uint32_t word = 0;
      std::memcpy(&word, &blob.bytes[i], std::min<size_t>(4, blob.bytes.size() - i));
      float value = 0;
      std::memcpy(&value, &word, sizeof(value));
      absl::StrAppendFormat(text, " %08x", word);
      absl::StrAppendFormat(&floats, " %.9g", value);
    }
    absl::StrAppend(text, "  ;", floats, "\n");
  }
}

const std::string& AskedDir() {
  static const std::string& dir = *new std::string([] {
    const char* value = std::getenv("BURIN_DUMP_ASM");
    return std::string(value == nullptr ? "" : value);
  }());
  return dir;
}

}  // namespace

std::string DumpFileName(absl::string_view kernel) {
  std::string name(kernel.substr(0, kMaxNameBytes));
  for (char& c : name) {
    if (!StaysInName(c)) c = '_';
  }
  if (!name.empty() && name[0] == '.') name[0] = '_';
  if (name == kernel && !name.empty()) return name;
  Hasher hasher;
  hasher.UpdateString(kernel);
  return absl::StrCat(name, "-", hasher.Finish().ToHex());
}

std::string FormatAsm(const CodeBlob& blob) {
  std::string text = absl::StrCat("; kernel: ", blob.name, "\n; code: ", blob.code_bytes,
                                  " bytes, with constants: ", blob.bytes.size(), " bytes\n");
  for (const absl::string_view line : absl::StrSplit(blob.registers, '\n', absl::SkipEmpty())) {
    absl::StrAppend(&text, "; ", line, "\n");
  }
  absl::StrAppend(&text, "\n");
  size_t next = 0;
  const absl::StatusOr<std::vector<DisassembledInstruction>> instructions =
      Disassemble(absl::MakeConstSpan(blob.bytes.data(), std::min(blob.code_bytes, blob.bytes.size())));
  if (instructions.ok()) {
    for (const DisassembledInstruction& instruction : *instructions) {
      AppendMarks(blob, instruction.offset, &next, &text);
      absl::StrAppendFormat(&text, "%6x:  %-36s %s\n", instruction.offset, instruction.bytes, instruction.text);
    }
  } else {
    absl::StrAppend(&text, "; ", instructions.status().message(), "\n");
  }
  AppendMarks(blob, blob.bytes.size(), &next, &text);
  AppendConstants(blob, &text);
  return text;
}

absl::Status DumpAsm(const CodeBlob& blob, const std::string& dir) {
  const std::string path = absl::StrCat(dir, "/", DumpFileName(blob.name));
  BURIN_RETURN_IF_ERROR(WriteFileAtomically(
      path + ".bin", absl::string_view(reinterpret_cast<const char*>(blob.bytes.data()), blob.bytes.size())));
  return WriteFileAtomically(path + ".s", FormatAsm(blob));
}

void DumpAsmIfAsked(const CodeBlob& blob) {
  if (AskedDir().empty()) return;
  const absl::Status status = DumpAsm(blob, AskedDir());
  if (!status.ok()) BURIN_LOG(kWarning) << "BURIN_DUMP_ASM: " << status.message();
}

}  // namespace burin::jit

// Writes an object file that names one piece of code in memory.
//
// For debuggers that are handed object files (jit/asm/gdb_jit.h). Not for linking: the file holds no code, only the
// address where the code is. A pure function, hence thread-safe.
#ifndef BURIN_JIT_ASM_ELF_OBJECT_H_
#define BURIN_JIT_ASM_ELF_OBJECT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace burin::jit::internal {

// Returns an ELF-64 file (System V ABI, x86-64) with a section .text at the address and of the size of `code`, and one
// global function symbol `name` that covers it. `name` ends at its first NUL.
std::string WriteElfObject(absl::string_view name, absl::Span<const uint8_t> code);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_ASM_ELF_OBJECT_H_

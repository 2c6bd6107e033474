// Registers code with gdb's JIT interface.
//
// Private to jit/asm: jit_symbols.h calls it where gdb is to be told. The functions may be called from any thread.
#ifndef BURIN_JIT_ASM_GDB_JIT_H_
#define BURIN_JIT_ASM_GDB_JIT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace burin::jit::internal {

// Is an entry of the list that gdb reads; layout as gdb's manual says ("JIT Interface Declarations").
struct GdbListEntry {
  GdbListEntry* next;
  GdbListEntry* prev;
  const char* symfile_addr;
  uint64_t symfile_size;
};

// Owns an entry and the object file that it points to.
struct GdbEntry {
  GdbListEntry link = {};
  std::string object;
};

// Adds `code`, at its address, under `name` to what gdb knows.
std::unique_ptr<GdbEntry> RegisterWithGdb(absl::string_view name, absl::Span<const uint8_t> code);

// Takes the entry out of what gdb knows.
void UnregisterWithGdb(GdbEntry& entry);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_ASM_GDB_JIT_H_

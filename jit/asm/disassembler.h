// Turns machine code into text, for dumps and for tests that compare encodings.
//
// Use it where a person or a golden test reads code. Not on any path that a kernel's generation or run waits for: it
// runs objdump (GNU binutils), found by PATH, as another process. Any thread may call it.
#ifndef BURIN_JIT_ASM_DISASSEMBLER_H_
#define BURIN_JIT_ASM_DISASSEMBLER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace burin::jit {

// Holds one instruction: its place, its bytes in hexadecimal, and its text in Intel's syntax with single blanks.
struct DisassembledInstruction {
  size_t offset = 0;
  std::string bytes;
  std::string text;
};

// Returns the instructions of `code`, which begins at offset 0. NotFound where there is no objdump, Internal where it
// fails, ResourceExhausted where the system refuses files or processes.
absl::StatusOr<std::vector<DisassembledInstruction>> Disassemble(absl::Span<const uint8_t> code);

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_DISASSEMBLER_H_

// Holds the machine code of one kernel before it is loaded: bytes that run at any address.
//
// Use it between Assembler::Finalize() and ExecutableCode::Load(), and to look at code without running it. A value.
#ifndef BURIN_JIT_ASM_CODE_BLOB_H_
#define BURIN_JIT_ASM_CODE_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace burin::jit {

// Names a place in the code, for dumps.
struct CodeMark {
  size_t offset = 0;
  std::string text;
};

// Holds code, the constants behind it, and what dumps say about both.
struct CodeBlob {
  // The kernel's printable name.
  std::string name;
  // Code, entered at its first byte, then constants at a multiple of 64; addresses each other relative to the
  // instruction pointer only. Loaded at a multiple of 64.
  std::vector<uint8_t> bytes;
  // How many of the bytes are instructions.
  size_t code_bytes = 0;
  // What the emitters marked, by ascending offset.
  std::vector<CodeMark> marks;
  // Lines on which names were held by which registers.
  std::string registers;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_CODE_BLOB_H_

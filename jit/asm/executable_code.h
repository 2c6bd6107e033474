// Owns one kernel that can be called.
//
// Use it to load what Assembler::Finalize() returned: it copies the blob to executable memory, writes the dump, tells
// profilers and debuggers where those are asked for (jit/asm/asm_dump.h, jit/asm/jit_symbols.h), and enters the kernel
// and its marks into the process's code map (jit/debug/code_map.h), for whoever has an address in it. Not for keeping
// kernels by what they compute: the code cache does. Calls may come from any number of threads; moving and destroying
// are for one.
#ifndef BURIN_JIT_ASM_EXECUTABLE_CODE_H_
#define BURIN_JIT_ASM_EXECUTABLE_CODE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/code_memory.h"
#include "jit/asm/jit_symbols.h"
#include "jit/debug/code_map.h"

namespace burin::jit {

// Is loaded machine code; its memory is given back when it is destroyed. Move-only.
class ExecutableCode {
 public:
  // Loads `blob` into `memory` and names it to `symbols`, both of which live longer. Fails as CodeMemory::Allocate()
  // does, with the kernel's name. What cannot be dumped or named is a warning in the log.
  static absl::StatusOr<ExecutableCode> Load(const CodeBlob& blob, CodeMemory& memory = CodeMemory::Process(),
                                             JitSymbols& symbols = JitSymbols::Process());

  // Returns the kernel's name.
  const std::string& name() const { return name_; }

  // Returns the address of the first instruction.
  const uint8_t* address() const { return block_.address(); }

  // Returns the number of bytes of instructions and constants.
  size_t size() const { return size_; }

  // Returns the number of bytes of code memory taken.
  size_t memory_bytes() const { return block_.size(); }

  // Returns the code as a function, valid as long as this object: `Function` is a pointer to a function whose
  // signature is the one that the code was generated for.
  template <class Function>
  Function entry() const {
    static_assert(std::is_pointer_v<Function> && std::is_function_v<std::remove_pointer_t<Function>>,
                  "Function is a pointer to a function");
    return reinterpret_cast<Function>(reinterpret_cast<uintptr_t>(block_.address()));
  }

 private:
  ExecutableCode(std::string name, CodeBlock block, size_t size, JitSymbol symbol, CodeMapEntry map_entry)
      : name_(std::move(name)),
        block_(std::move(block)),
        size_(size),
        symbol_(std::move(symbol)),
        map_entry_(std::move(map_entry)) {}

  std::string name_;
  CodeBlock block_;
  size_t size_;
  // Destroyed first: the code is forgotten before its memory is free.
  JitSymbol symbol_;
  CodeMapEntry map_entry_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_EXECUTABLE_CODE_H_

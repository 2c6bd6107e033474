// Writes generated code and its disassembly to files, for people who look at kernels.
//
// BURIN_DUMP_ASM=dir in the environment, read once, makes every kernel that is loaded leave two files in `dir`, which
// exists: NAME.bin, the bytes, and NAME.s, the instructions with the emitters' marks, the constants, and which names
// the registers held. NAME.s lacks the instructions where there is no objdump. Off by default, at the cost of one
// comparison a kernel. All functions may be called from any thread.
#ifndef BURIN_JIT_ASM_ASM_DUMP_H_
#define BURIN_JIT_ASM_ASM_DUMP_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "jit/asm/code_blob.h"

namespace burin::jit {

// Returns the name as a file's: letters, digits, '.', '_', '-' and '+' stay, anything else becomes '_'; a name that
// this changes, begins with '.', is empty or has more than 120 bytes is cut to 120 and gets a hash of the whole
// appended, so that different names stay different.
std::string DumpFileName(absl::string_view kernel);

// Returns the text of NAME.s.
std::string FormatAsm(const CodeBlob& blob);

// Writes both files to `dir`. Fails as burin::WriteFileAtomically() does.
absl::Status DumpAsm(const CodeBlob& blob, const std::string& dir);

// Does what BURIN_DUMP_ASM asks for; failures are warnings in the log.
void DumpAsmIfAsked(const CodeBlob& blob);

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_ASM_DUMP_H_

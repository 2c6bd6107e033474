#include "jit/asm/executable_code.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_context.h"
#include "jit/asm/asm_dump.h"

namespace burin::jit {

absl::StatusOr<ExecutableCode> ExecutableCode::Load(const CodeBlob& blob, CodeMemory& memory, JitSymbols& symbols) {
  DumpAsmIfAsked(blob);
  absl::StatusOr<CodeBlock> block = memory.Allocate(blob.bytes);
  if (!block.ok()) return WithContext(block.status(), absl::StrCat("Kernel ", blob.name));
  const absl::Span<const uint8_t> code = absl::MakeConstSpan(block->address(), blob.code_bytes);
  JitSymbol symbol = symbols.Register(blob.name, code);
  CodeMapEntry map_entry = CodeMap::Process().Register(blob.name, code, blob.marks);
  return ExecutableCode(blob.name, *std::move(block), blob.bytes.size(), std::move(symbol), std::move(map_entry));
}

}  // namespace burin::jit

#include "jit/limits/loops.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"

namespace burin::jit {
namespace {

// Enough instructions that the loop's own two cost nothing, in few enough bytes for the micro-op cache.
constexpr int kUnrolled = 48;

absl::string_view OpName(LoopOp op) {
  switch (op) {
    case LoopOp::kDependentAdd:
      return "dependent_add";
    case LoopOp::kFma:
      return "fma";
    case LoopOp::kFmaAndAdd:
      return "fma_and_add";
    case LoopOp::kDotBf16:
      return "dot_bf16";
    case LoopOp::kDotInt8:
      return "dot_int8";
  }
  return "unknown";
}

bool HasInstruction(const IsaSet& isa, const LoopSpec& spec) {
  if (spec.op == LoopOp::kDependentAdd) return true;
  if (spec.bits == 512 && !isa.Supports(IsaLevel::kAvx512)) return false;
  switch (spec.op) {
    case LoopOp::kDotBf16:
      return isa.Supports(IsaLevel::kAvx512Bf16);
    case LoopOp::kDotInt8:
      return isa.Supports(IsaLevel::kAvx512Vnni) || (spec.bits == 256 && isa.Supports(IsaLevel::kAvxVnni));
    default:
      return isa.Supports(IsaLevel::kAvx2);
  }
}

int InstructionsPerIteration(const LoopSpec& spec) { return kUnrolled / spec.chains * spec.chains; }

Xmm Vec(int bits, int index) { return Xmm(bits == 512 ? Operand::ZMM : Operand::YMM, index); }

// The factors of every product are the last registers, behind the accumulators.
void EmitOne(Assembler& code, const LoopSpec& spec, int number) {
  const Xmm accumulator = Vec(spec.bits, number % spec.chains);
  const Xmm left = Vec(spec.bits, MaxChains(code.isa()));
  const Xmm right = Vec(spec.bits, MaxChains(code.isa()) + 1);
  switch (spec.op) {
    case LoopOp::kDependentAdd:
      code.add(reg::rax, reg::rcx);
      break;
    case LoopOp::kFma:
      code.vfmadd231ps(accumulator, left, right);
      break;
    case LoopOp::kFmaAndAdd:
      if (number % 2 == 0) {
        code.vfmadd231ps(accumulator, left, right);
      } else {
        code.vaddps(accumulator, accumulator, right);
      }
      break;
    case LoopOp::kDotBf16:
      code.vdpbf16ps(accumulator, left, right);
      break;
    case LoopOp::kDotInt8:
      code.vpdpbusd(accumulator, left, right);
      break;
  }
}

// Zeros all that the loop reads, so that no sum grows into infinities or denormals.
void EmitZeros(Assembler& code, const LoopSpec& spec) {
  if (spec.op == LoopOp::kDependentAdd) {
    code.xor_(reg::rax, reg::rax);
    code.xor_(reg::rcx, reg::rcx);
    return;
  }
  for (int index = 0; index < MaxChains(code.isa()) + 2; ++index) code.vxorps(Ymm(index), Ymm(index), Ymm(index));
}

}  // namespace

std::string LoopSpec::Name() const {
  if (op == LoopOp::kDependentAdd) return std::string(OpName(op));
  return absl::StrCat(OpName(op), "_", bits, "_x", chains);
}

int MaxChains(const IsaSet& isa) { return isa.Supports(IsaLevel::kAvx512) ? 30 : 14; }

absl::StatusOr<CodeBlob> RegisterLoop::Generate(const IsaSet& isa, const LoopSpec& spec) {
  if ((spec.bits != 256 && spec.bits != 512) || spec.chains < 1 || spec.chains > MaxChains(isa)) {
    return absl::InvalidArgumentError(absl::StrCat("No loop has this width and number of chains: ", spec.Name()));
  }
  if (!HasInstruction(isa, spec)) {
    return absl::UnimplementedError(absl::StrCat("The machine lacks the instruction of the loop: ", spec.Name()));
  }
  Assembler code(spec.Name(), isa);
  EmitZeros(code, spec);
  const int instructions = InstructionsPerIteration(spec);
  Label loop;
  code.Align(64);
  code.Bind(loop);
  for (int number = 0; number < instructions; ++number) EmitOne(code, spec, number);
  code.dec(reg::rdi);
  code.jnz(loop);
  code.vzeroupper();
  code.ret();
  return std::move(code).Finalize();
}

absl::StatusOr<RegisterLoop> RegisterLoop::Create(const IsaSet& isa, const LoopSpec& spec) {
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, Generate(isa, spec));
  BURIN_ASSIGN_OR_RETURN(ExecutableCode executable, ExecutableCode::Load(blob));
  return RegisterLoop(std::move(executable), InstructionsPerIteration(spec));
}

absl::StatusOr<CodeBlob> ReadLoop::Generate(const IsaSet& isa) {
  const int bits = isa.Supports(IsaLevel::kAvx512) ? 512 : 256;
  const int bytes = bits / 8;
  Assembler code(absl::StrCat("read_", bits), isa);
  const Reg64 data = reg::rdi;
  const Reg64 blocks = reg::rsi;
  const Reg64 passes = reg::rdx;
  const Reg64 place = reg::rax;
  const Reg64 left = reg::rcx;
  Label pass;
  Label block;
  code.Bind(pass);
  code.mov(place, data);
  code.mov(left, blocks);
  code.Align(64);
  code.Bind(block);
  for (int offset = 0; offset < static_cast<int>(kBlockBytes); offset += bytes) {
    code.vmovaps(Vec(bits, offset / bytes % 16), ptr[place + offset]);
  }
  code.add(place, static_cast<int>(kBlockBytes));
  code.dec(left);
  code.jnz(block);
  code.dec(passes);
  code.jnz(pass);
  code.vzeroupper();
  code.ret();
  return std::move(code).Finalize();
}

absl::StatusOr<ReadLoop> ReadLoop::Create(const IsaSet& isa) {
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, Generate(isa));
  BURIN_ASSIGN_OR_RETURN(ExecutableCode executable, ExecutableCode::Load(blob));
  return ReadLoop(std::move(executable));
}

absl::StatusOr<CodeBlob> CopyLoop::Generate(const IsaSet& isa) {
  const int bits = isa.Supports(IsaLevel::kAvx512) ? 512 : 256;
  const int bytes = bits / 8;
  // Loads run ahead of stores by so many vectors.
  constexpr int kAhead = 4;
  Assembler code(absl::StrCat("copy_", bits), isa);
  const Reg64 from = reg::rdi;
  const Reg64 to = reg::rsi;
  const Reg64 blocks = reg::rdx;
  const Reg64 passes = reg::rcx;
  const Reg64 source = reg::rax;
  const Reg64 destination = reg::r8;
  const Reg64 left = reg::r9;
  Label pass;
  Label block;
  code.Bind(pass);
  code.mov(source, from);
  code.mov(destination, to);
  code.mov(left, blocks);
  code.Align(64);
  code.Bind(block);
  for (int group = 0; group < static_cast<int>(kBlockBytes); group += kAhead * bytes) {
    for (int i = 0; i < kAhead; ++i) code.vmovaps(Vec(bits, i), ptr[source + (group + i * bytes)]);
    for (int i = 0; i < kAhead; ++i) code.vmovaps(ptr[destination + (group + i * bytes)], Vec(bits, i));
  }
  code.add(source, static_cast<int>(kBlockBytes));
  code.add(destination, static_cast<int>(kBlockBytes));
  code.dec(left);
  code.jnz(block);
  code.dec(passes);
  code.jnz(pass);
  code.vzeroupper();
  code.ret();
  return std::move(code).Finalize();
}

absl::StatusOr<CopyLoop> CopyLoop::Create(const IsaSet& isa) {
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, Generate(isa));
  BURIN_ASSIGN_OR_RETURN(ExecutableCode executable, ExecutableCode::Load(blob));
  return CopyLoop(std::move(executable));
}

}  // namespace burin::jit

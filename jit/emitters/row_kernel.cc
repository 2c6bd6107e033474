#include "jit/emitters/row_kernel.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"

namespace burin::jit {
namespace {

struct RowArgs {
  void* out;
  int64_t count;
  const void* in[RowFunction::kMaxInputs];
};
BURIN_ARG_OFFSET(RowArgs, out, 0);
BURIN_ARG_OFFSET(RowArgs, count, 8);
BURIN_ARG_OFFSET(RowArgs, in, 16);

// Emits the loops of one kernel.
template <class V>
class RowEmitter {
 public:
  RowEmitter(Assembler& code, const Target& target, const RowFunction& function, const RowFunction::Emit<V>& emit,
             int vectors)
      : v_(code, target), emit_(emit), inputs_(function.inputs), vectors_(vectors) {}

  void Emit(AbiFrame& frame) {
    Assembler& code = v_.code();
    const GprReg out = code.regs().Gpr("out");
    const GprReg count = code.regs().Gpr("count");
    std::vector<GprReg> in;
    frame.Load(out, BURIN_ARG_FIELD(RowArgs, out));
    frame.Load(count, BURIN_ARG_FIELD(RowArgs, count));
    for (int i = 0; i < inputs_; ++i) {
      in.push_back(code.regs().Gpr("in"));
      code.mov(in.back(), ptr[frame.args() + static_cast<int>(offsetof(RowArgs, in)) + i * 8]);
    }
    frame.ReleaseArgs();
    EmitLoop(vectors_, in, out, count);
    if (vectors_ > 1) EmitLoop(1, in, out, count);
    code.test(count, count);
    code.jz(frame.exit());
    EmitTail(in, out, count);
  }

 private:
  // Emits the loop that takes `vectors` whole vectors at a time, as long as there are so many.
  void EmitLoop(int vectors, absl::Span<const GprReg> in, const Reg64& out, const Reg64& count) {
    Assembler& code = v_.code();
    Label loop;
    Label end;
    const int elements = vectors * V::kLanes;
    code.sub(count, elements);
    code.jl(end);
    code.Align(32);
    code.Bind(loop);
    EmitVectors(
        vectors,
        [&](int input, int i, const Xmm& to) { v_.Load(to, ptr[in[static_cast<size_t>(input)] + i * kBytes]); },
        [&](int i, const Xmm& from) { v_.Store(ptr[out + i * kBytes], from); });
    for (const GprReg& input : in) code.add(input, vectors * kBytes);
    code.add(out, vectors * kBytes);
    code.sub(count, elements);
    code.jge(loop);
    code.Bind(end);
    code.add(count, elements);
  }

  void EmitTail(absl::Span<const GprReg> in, const Reg64& out, const Reg64& count) {
    const typename V::MaskRegister mask = v_.NewMask("tail");
    {
      const GprReg scratch = v_.code().regs().Gpr("scratch");
      v_.SetMaskFor(mask, count, scratch);
    }
    EmitVectors(
        1, [&](int input, int, const Xmm& to) { v_.LoadMasked(to, mask, ptr[in[static_cast<size_t>(input)]]); },
        [&](int, const Xmm& from) { v_.StoreMasked(ptr[out], mask, from); });
  }

  template <class Load, class Store>
  void EmitVectors(int vectors, const Load& load, const Store& store) {
    std::vector<VecRegs> regs;
    std::vector<VecGroup> operands;
    for (int input = 0; input < inputs_; ++input) {
      regs.push_back(v_.New("operand", vectors));
      operands.emplace_back(regs.back());
      for (int i = 0; i < vectors; ++i) load(input, i, operands.back()[i]);
    }
    emit_(v_, operands);
    for (int i = 0; i < vectors; ++i) store(i, operands.front()[i]);
  }

  static constexpr int kBytes = V::kBits / 8;

  V v_;
  const RowFunction::Emit<V>& emit_;
  const int inputs_;
  const int vectors_;
};

template <class V>
absl::StatusOr<CodeBlob> GenerateAtWidth(const RowFunction& function, const RowFunction::Emit<V>& emit,
                                         const Target& target, int max_vectors) {
  for (int vectors = max_vectors;; --vectors) {
    Assembler code(absl::StrCat("row_", function.name, "_", V::kBits, "_x", vectors), target.isa());
    AbiFrame frame(code);
    RowEmitter<V>(code, target, function, emit, vectors).Emit(frame);
    frame.Finish();
    absl::StatusOr<CodeBlob> blob = std::move(code).Finalize();
    if (vectors == 1 || !absl::IsResourceExhausted(blob.status())) return blob;
  }
}

}  // namespace

absl::StatusOr<CodeBlob> RowKernel::Generate(const RowFunction& function, const Target& target, int max_vectors) {
  if (function.inputs < 1 || function.inputs > RowFunction::kMaxInputs) {
    return absl::InvalidArgumentError(absl::StrCat("inputs of a row function: ", function.inputs));
  }
  if (max_vectors < 1 || max_vectors > VecGroup::kMaxSize) {
    return absl::InvalidArgumentError(absl::StrCat("vectors at a time: ", max_vectors));
  }
  return target.Supports(IsaLevel::kAvx512) ? GenerateAtWidth<VecAvx512>(function, function.avx512, target, max_vectors)
                                            : GenerateAtWidth<VecAvx2>(function, function.avx2, target, max_vectors);
}

absl::StatusOr<RowKernel> RowKernel::Create(const RowFunction& function, const Target& target, int max_vectors) {
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, Generate(function, target, max_vectors));
  BURIN_ASSIGN_OR_RETURN(ExecutableCode code, ExecutableCode::Load(blob));
  return RowKernel(std::move(code));
}

void RowKernel::Run(absl::Span<const void* const> inputs, void* output, int64_t count) const {
  BURIN_CHECK(inputs.size() <= RowFunction::kMaxInputs) << "inputs: " << inputs.size();
  RowArgs args = {output, count, {}};
  for (size_t i = 0; i < inputs.size(); ++i) args.in[i] = inputs[i];
  code_.entry<void (*)(const RowArgs*)>()(&args);
}

}  // namespace burin::jit

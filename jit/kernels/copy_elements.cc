#include "jit/kernels/copy_elements.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/copy_args.h"
#include "jit/kernels/copy_loops.h"

namespace burin::jit {
namespace {

class CopyElementsGenerator {
 public:
  CopyElementsGenerator(const CopyElementsSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        loops_(code, frame_),
        from_(code.regs().Gpr("from")),
        to_(code.regs().Gpr("to")),
        left_(code.regs().Gpr("left")),
        element_(code.regs().Gpr("element")),
        from_stride_(code.regs().Gpr("from_stride")),
        from_stride3_(code.regs().Gpr("from_stride3")),
        to_stride_(code.regs().Gpr("to_stride")),
        to_stride3_(code.regs().Gpr("to_stride3")),
        vec_(code.regs().Vec("vec", 128)) {}

  void Emit() {
    frame_.Load(from_stride_, BURIN_ARG_FIELD(CopyArgs, source_stride0));
    frame_.Load(to_stride_, BURIN_ARG_FIELD(CopyArgs, destination_stride0));
    code_.lea(from_stride3_, ptr[from_stride_ + from_stride_ * 2]);
    code_.lea(to_stride3_, ptr[to_stride_ + to_stride_ * 2]);
    loops_.Emit([&] { EmitRow(); });
    frame_.Finish();
  }

 private:
  void EmitMove(const Xbyak::RegExp& from, const Xbyak::RegExp& to) {
    switch (spec_.element_bytes) {
      case 1:
        code_.movzx(element_.cvt32(), byte[from]);
        return code_.mov(byte[to], element_.cvt8());
      case 2:
        code_.movzx(element_.cvt32(), word[from]);
        return code_.mov(word[to], element_.cvt16());
      case 4:
        code_.mov(element_.cvt32(), dword[from]);
        return code_.mov(dword[to], element_.cvt32());
      case 8:
        code_.mov(element_, qword[from]);
        return code_.mov(qword[to], element_);
      default:
        code_.vmovups(vec_, ptr[from]);
        return code_.vmovups(ptr[to], vec_);
    }
  }

  void EmitRow() {
    Label four;
    Label rest;
    Label one;
    Label done;
    code_.mov(from_, loops_.source());
    code_.mov(to_, loops_.destination());
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, extent0));
    code_.sub(left_, 4);
    code_.jb(rest);
    code_.Align(16);
    code_.Bind(four);
    EmitMove(from_, to_);
    EmitMove(from_ + from_stride_, to_ + to_stride_);
    EmitMove(from_ + from_stride_ * 2, to_ + to_stride_ * 2);
    EmitMove(from_ + from_stride3_, to_ + to_stride3_);
    code_.lea(from_, ptr[from_ + from_stride_ * 4]);
    code_.lea(to_, ptr[to_ + to_stride_ * 4]);
    code_.sub(left_, 4);
    code_.jae(four);
    code_.Bind(rest);
    code_.add(left_, 4);
    code_.jz(done);
    code_.Bind(one);
    EmitMove(from_, to_);
    code_.add(from_, from_stride_);
    code_.add(to_, to_stride_);
    code_.dec(left_);
    code_.jnz(one);
    code_.Bind(done);
  }

  const CopyElementsSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  CopyLoops loops_;
  GprReg from_;
  GprReg to_;
  GprReg left_;
  GprReg element_;
  GprReg from_stride_;
  GprReg from_stride3_;
  GprReg to_stride_;
  GprReg to_stride3_;
  VecReg vec_;
};

}  // namespace

std::string CopyElementsSpec::Name() const { return absl::StrCat("copy_elements_", element_bytes); }

Hash128 CopyElementsSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(element_bytes);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateCopyElements(const CopyElementsSpec& spec, const IsaSet& isa) {
  Assembler code(spec.Name(), isa);
  {
    CopyElementsGenerator generator(spec, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit

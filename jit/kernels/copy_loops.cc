#include "jit/kernels/copy_loops.h"

#include "jit/asm/arg_field.h"
#include "jit/kernels/copy_args.h"

namespace burin::jit {

CopyLoops::CopyLoops(Assembler& code, AbiFrame& frame)
    : code_(code),
      frame_(frame),
      source_(code.regs().Gpr("source")),
      destination_(code.regs().Gpr("destination")),
      rows_(code.regs().Gpr("rows")),
      plane_source_(frame.Slot(8, "plane_source")),
      plane_destination_(frame.Slot(8, "plane_destination")),
      planes_(frame.Slot(8, "planes")) {}

void CopyLoops::Emit(absl::FunctionRef<void()> body) {
  Label plane;
  Label row;
  frame_.Load(rows_, BURIN_ARG_FIELD(CopyArgs, extent2));
  code_.mov(planes_.At(), rows_);
  frame_.Load(source_, BURIN_ARG_FIELD(CopyArgs, source));
  frame_.Load(destination_, BURIN_ARG_FIELD(CopyArgs, destination));
  code_.Bind(plane);
  code_.mov(plane_source_.At(), source_);
  code_.mov(plane_destination_.At(), destination_);
  frame_.Load(rows_, BURIN_ARG_FIELD(CopyArgs, extent1));
  code_.Align(16);
  code_.Bind(row);
  body();
  code_.add(source_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, source_stride1)));
  code_.add(destination_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, destination_stride1)));
  code_.dec(rows_);
  code_.jnz(row);
  code_.mov(source_, plane_source_.At());
  code_.add(source_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, source_stride2)));
  code_.mov(destination_, plane_destination_.At());
  code_.add(destination_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, destination_stride2)));
  code_.mov(rows_, planes_.At());
  code_.dec(rows_);
  code_.mov(planes_.At(), rows_);
  code_.jnz(plane);
}

}  // namespace burin::jit

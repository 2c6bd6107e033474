#include "jit/kernels/pooling/pooling_tap_loops.h"

#include "jit/asm/arg_field.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/pooling/pooling_args.h"

namespace burin::jit {

void EmitTapLoops(Assembler& code, AbiFrame& frame, const Reg64& input, absl::FunctionRef<void(const Reg64& tap)> body,
                  absl::FunctionRef<void(int axis)> step) {
  const GprReg plane = code.regs().Gpr("plane");
  const GprReg row = code.regs().Gpr("row");
  const GprReg tap = code.regs().Gpr("tap");
  const GprReg planes = code.regs().Gpr("planes");
  const GprReg rows = code.regs().Gpr("rows");
  const GprReg taps = code.regs().Gpr("taps");
  Label next_plane;
  Label next_row;
  Label next_tap;
  Label done;
  code.mov(plane, input);
  frame.Load(planes, BURIN_ARG_FIELD(PoolingArgs, taps0));
  code.test(planes, planes);
  code.jz(done);
  code.Bind(next_plane);
  step(0);
  code.mov(row, plane);
  frame.Load(rows, BURIN_ARG_FIELD(PoolingArgs, taps1));
  code.Bind(next_row);
  step(1);
  code.mov(tap, row);
  frame.Load(taps, BURIN_ARG_FIELD(PoolingArgs, taps2));
  code.Bind(next_tap);
  body(tap);
  step(2);
  code.add(tap, frame.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step2)));
  code.dec(taps);
  code.jnz(next_tap);
  code.add(row, frame.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step1)));
  code.dec(rows);
  code.jnz(next_row);
  code.add(plane, frame.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step0)));
  code.dec(planes);
  code.jnz(next_plane);
  code.Bind(done);
}

void EmitTapRowLoops(Assembler& code, AbiFrame& frame, const Reg64& input,
                     absl::FunctionRef<void(const Reg64& row, bool first)> body) {
  const GprReg plane = code.regs().Gpr("plane");
  const GprReg row = code.regs().Gpr("row");
  const GprReg planes = code.regs().Gpr("planes");
  const GprReg rows = code.regs().Gpr("rows");
  Label next_plane;
  Label next_row;
  Label plane_done;
  body(input, true);
  code.mov(plane, input);
  code.mov(row, input);
  frame.Load(planes, BURIN_ARG_FIELD(PoolingArgs, taps0));
  frame.Load(rows, BURIN_ARG_FIELD(PoolingArgs, taps1));
  code.dec(rows);
  code.jz(plane_done);
  code.add(row, frame.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step1)));
  code.Bind(next_row);
  body(row, false);
  code.add(row, frame.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step1)));
  code.dec(rows);
  code.jnz(next_row);
  code.Bind(plane_done);
  code.dec(planes);
  Label done;
  code.jz(done);
  code.add(plane, frame.Arg(BURIN_ARG_FIELD(PoolingArgs, tap_step0)));
  code.mov(row, plane);
  frame.Load(rows, BURIN_ARG_FIELD(PoolingArgs, taps1));
  code.jmp(next_row);
  code.Bind(done);
}

}  // namespace burin::jit

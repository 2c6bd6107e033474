// Emits the loops over the taps of windows, which lie where PoolingArgs says.
//
// Use it in the reductions of poolings (jit/kernels/pooling/pooling_reduction.h, pooling_positions.h); not for what is
// done with a tap, which the caller emits. Taps come in the order of the axes. While a body is emitted, counters and
// addresses hold six general registers, four of rows; all are given back. Functions emit to the frame's assembler; used
// by one thread.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_TAP_LOOPS_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_TAP_LOOPS_H_

#include "absl/functional/function_ref.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"

namespace burin::jit {

// Emits loops over all taps around what `body` emits for the address of one; `input` holds that of the first, and keeps
// it. Windows without taps are passed over. `step` emits what follows the beginning of a plane (0), of a row (1) and a
// tap (2).
void EmitTapLoops(
    Assembler& code, AbiFrame& frame, const Reg64& input, absl::FunctionRef<void(const Reg64& tap)> body,
    absl::FunctionRef<void(int axis)> step = [](int) {});

// Emits loops over the rows of taps of windows, of which there is one at least, around what `body` emits for the
// address of the first tap of a row. The first row is not in the loops.
void EmitTapRowLoops(Assembler& code, AbiFrame& frame, const Reg64& input,
                     absl::FunctionRef<void(const Reg64& row, bool first)> body);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_TAP_LOOPS_H_

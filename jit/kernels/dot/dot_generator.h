// Emits the code of one dot kernel.
//
// Use it through GenerateDot() (jit/kernels/dot/dot.h), which checks the spec first. The template exists for VecAvx2
// and VecAvx512. Emits to one Assembler; used by one thread.
#ifndef BURIN_JIT_KERNELS_DOT_DOT_GENERATOR_H_
#define BURIN_JIT_KERNELS_DOT_DOT_GENERATOR_H_

#include "jit/asm/assembler.h"
#include "jit/kernels/dot/dot_spec.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Emits the whole function of a spec that is valid for the Assembler's instructions; `epilogue` may be null. V is the
// vector vocabulary of the machine's width.
template <class V>
void EmitDot(const DotSpec& spec, const EpilogueEmitter* epilogue, Assembler& code);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DOT_DOT_GENERATOR_H_

// Holds what the emitters of one pooling's code share: assembler, frame and vocabulary, and the registers and places on
// the stack that say which windows and channels are at hand.
//
// Use it in the generation of poolings (jit/kernels/pooling/pooling_code.h), which walks: it sets all of these; what
// reduces and stores a piece reads them. V is the vector vocabulary. An object belongs to one thread with its
// Assembler; the spec and the Assembler outlive it.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_EMISSION_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_EMISSION_H_

#include <optional>

#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/target.h"
#include "jit/kernels/pooling/pooling_code_spec.h"
#include "jit/kernels/pooling/pooling_taps.h"

namespace burin::jit {

template <class V>
struct PoolingEmission {
  static constexpr int kVectorBytes = V::kBits / 8;
  // Of an element of the input and of the output, and of a scale.
  static constexpr int kElementBytes = 4;

  // Begins the function, takes the registers and emits what makes the tail's mask.
  PoolingEmission(const PoolingCodeSpec& spec_in, const Target& target, Assembler& code_in)
      : spec(spec_in),
        code(code_in),
        frame(code),
        v(code, target),
        taps(v, spec.kind, spec.p),
        input(code.regs().Gpr("input")),
        output(code.regs().Gpr("output")),
        column(code.regs().Gpr("column")),
        vectors(code.regs().Gpr("vectors")),
        window_input(frame.Slot(8, "window_input")),
        window_output(frame.Slot(8, "window_output")),
        window_indices(frame.Slot(8, "window_indices")),
        window_scales(frame.Slot(8, "window_scales")),
        windows(frame.Slot(8, "windows")),
        row(frame.Slot(8, "row")),
        position(frame.Slot(8, "position")) {
    if (spec.has_indices()) indices.emplace(code.regs().Gpr("indices"));
    if (spec.tail_channels > 0) {
      tail_mask.emplace(v.NewMask("tail"));
      v.SetMaskFor(*tail_mask, spec.tail_channels);
    }
  }

  const PoolingCodeSpec& spec;
  Assembler& code;
  AbiFrame frame;
  V v;
  PoolingTaps<V> taps;
  // Of the present channels: addresses of the first tap, of a strip in the padding too, and of the first result; the
  // first channel among all, and how many vectors are left.
  GprReg input;
  GprReg output;
  GprReg column;
  GprReg vectors;
  std::optional<GprReg> indices;
  // Of the present windows: the same of their first channels, the scale of the first, how many windows are left, which
  // is the first among all, and where its first tap is.
  StackSlot window_input;
  StackSlot window_output;
  StackSlot window_indices;
  StackSlot window_scales;
  StackSlot windows;
  StackSlot row;
  StackSlot position;
  std::optional<typename V::MaskRegister> tail_mask;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_EMISSION_H_

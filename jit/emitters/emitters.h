// Declares every element-wise function that can be emitted, and holds the table of them.
//
// Use it where a function is chosen by its name or by a number; include the header of one function where only that is
// wanted. Types and constants, hence thread-safe.
#ifndef BURIN_JIT_EMITTERS_EMITTERS_H_
#define BURIN_JIT_EMITTERS_EMITTERS_H_

#include <cstdint>

#include "jit/emitters/abs.h"
#include "jit/emitters/erf.h"
#include "jit/emitters/exp.h"
#include "jit/emitters/gelu.h"
#include "jit/emitters/log.h"
#include "jit/emitters/negative.h"
#include "jit/emitters/relu.h"
#include "jit/emitters/sigmoid.h"
#include "jit/emitters/sqrt.h"
#include "jit/emitters/tanh.h"

namespace burin::jit {

// Numbers the functions of one operand.
enum class UnaryEmitter : uint8_t {
#define BURIN_UNARY_EMITTER(Name, unit, bound) k##Name,
#include "jit/emitters/emitters.inc"
#undef BURIN_UNARY_EMITTER
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_EMITTERS_H_

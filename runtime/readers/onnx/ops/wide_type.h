// The type in which numbers of narrow floating-point types are computed.
//
// Use it where an operator is defined by arithmetic in f32 for the types below that, as quantisation is, or where
// narrow ones are too coarse. Not for integers, which become f32 too if they are narrow. A pure function, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_WIDE_TYPE_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_WIDE_TYPE_H_

#include "base/element_type.h"

namespace burin::onnx {

// Returns `type` if an element has 32 bits or more, else f32.
constexpr ElementType WideType(ElementType type) { return BitWidth(type) < 32 ? ElementType::kF32 : type; }

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_WIDE_TYPE_H_

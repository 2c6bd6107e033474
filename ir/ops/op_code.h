// The list of operations as an enumeration: one enumerator per line of ops.inc.
//
// The values are dense and may change between builds; files name operations by their names.
#ifndef BURIN_IR_OPS_OP_CODE_H_
#define BURIN_IR_OPS_OP_CODE_H_

#include <cstdint>

namespace burin::ir {

enum class OpCode : uint16_t {
#define BURIN_OP(name) k##name,
#include "ir/ops/ops.inc"  // IWYU pragma: keep
#undef BURIN_OP
};

inline constexpr int kOpCount = 0
#define BURIN_OP(name) +1
#include "ir/ops/ops.inc"
#undef BURIN_OP
    ;

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_OP_CODE_H_

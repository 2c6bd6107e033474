#include "snippets/lowering/recompute_cost.h"

#include "base/element_type.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "snippets/linear/lane.h"

namespace burin::snippets {

namespace {

using ir::OpCode;

// Returns how many instructions a register takes.
int CostOfRegister(const ir::OpDef& op, ElementType type) {
  constexpr int kMany = 16;
  const bool is_float = IsFloat(type);
  switch (op.code) {
    case OpCode::kAbs:
    case OpCode::kAdd:
    case OpCode::kBitwiseAnd:
    case OpCode::kBitwiseNot:
    case OpCode::kBitwiseOr:
    case OpCode::kBitwiseXor:
    case OpCode::kCeiling:
    case OpCode::kFloor:
    case OpCode::kLogicalAnd:
    case OpCode::kLogicalNot:
    case OpCode::kLogicalOr:
    case OpCode::kLogicalXor:
    case OpCode::kMultiply:
    case OpCode::kNegative:
    case OpCode::kRelu:
    case OpCode::kSubtract:
      return 1;
    case OpCode::kClamp:
    case OpCode::kConvert:
    case OpCode::kEqual:
    case OpCode::kGreater:
    case OpCode::kGreaterEqual:
    case OpCode::kLess:
    case OpCode::kLessEqual:
    case OpCode::kMaximum:
    case OpCode::kMinimum:
    case OpCode::kNotEqual:
    case OpCode::kPRelu:
    case OpCode::kSelect:
    case OpCode::kSquaredDifference:
      return 2;
    case OpCode::kDivide:
    case OpCode::kSqrt:
      return is_float ? 6 : kMany;
    default:
      return kMany;
  }
}

}  // namespace

int RecomputeCost(const ir::OpDef& op, ElementType type) { return CostOfRegister(op, type) * RegistersOfVector(type); }

}  // namespace burin::snippets

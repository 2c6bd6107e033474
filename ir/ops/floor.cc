// Floor: the largest integer not above x; integers stay as they are.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   Floor_c1: the type of input 0 is a numeric type.
#include <cmath>
#include <type_traits>

#include "absl/status/status.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

Dimension FloorContent(const Dimension& a) { return a; }

absl::Status InferFloor(InferContext& context) {
  return InferUnary(context, "Floor", TypeClass::kNumeric, &FloorContent);
}

absl::Status ReferenceFloor(ReferenceContext& context) {
  return ReferenceUnary(context, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) return std::floor(x);
    return x;
  });
}

}  // namespace

const OpDef& FloorOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kFloor, "Floor", "opset1");
    d.traits = kElementwise;
    d.infer = &InferFloor;
    d.reference = &ReferenceFloor;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir

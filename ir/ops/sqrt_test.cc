#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(SqrtTest, ComputesTheRoot) {
  ExpectEvaluates(SqrtOp(), NoAttributes(), {F32({5}, {0, 4, 2, kInf, -1})},
                  F32({5}, {0, 2, 1.41421356237309515, kInf, kNan}));
  ExpectEvaluates(SqrtOp(), NoAttributes(), {F64({2}, {9, 2})}, F64({2}, {3, 1.41421356237309515}));
}

TEST(SqrtTest, RoundsIntegers) {
  ExpectEvaluates(SqrtOp(), NoAttributes(), {I32({5}, {4, 7, 9, 10, -1})}, I32({5}, {2, 3, 3, 3, 0}));
}

TEST(SqrtTest, Sqrt_c1_RejectsBoolean) {
  ExpectInferFails(SqrtOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Sqrt_c1");
}

}  // namespace
}  // namespace burin::ir

#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(PowerTest, RaisesFloats) {
  ExpectEvaluates(PowerOp(), BroadcastAttributes(),
                  {F32({6}, {2, -2, 4, 0, -8, 9}), F32({6}, {3, 3, 0.5, 0, 0.5, -0.5})},
                  F32({6}, {8, -8, 2, 1, kNan, 0.3333333333333333}));
}

TEST(PowerTest, RaisesIntegers) {
  ExpectEvaluates(PowerOp(), BroadcastAttributes(),
                  {I32({7}, {2, -2, 0, 2, 1, -1, 3}), I32({7}, {10, 3, 0, -1, -5, -3, 21})},
                  I32({7}, {1024, -8, 1, 0, 1, -1, 1870418611}));
  ExpectEvaluates(PowerOp(), BroadcastAttributes(), {U8({2}, {3, 2}), U8({2}, {5, 8})}, U8({2}, {243, 0}));
  ExpectEvaluates(PowerOp(), BroadcastAttributes(), {I64({1}, {3}), I64({1}, {39})}, I64({1}, {4052555153018976267}));
}

TEST(PowerTest, Power_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(PowerOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "Power_c1");
  ExpectInferFails(PowerOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "Power_c1");
}

TEST(PowerTest, Power_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(PowerOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Power_c2");
}

}  // namespace
}  // namespace burin::ir

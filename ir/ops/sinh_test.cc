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

TEST(SinhTest, ComputesTheFunction) {
  ExpectEvaluates(SinhOp(), NoAttributes(), {F64({4}, {-2, 0, 0.5, 3})},
                  F64({4}, {-3.626860407847019, 0, 0.5210953054937474, 10.017874927409903}), 1e-14);
  ExpectEvaluates(SinhOp(), NoAttributes(), {F32({4}, {-2, 0, 0.5, 3})},
                  F32({4}, {-3.626860407847019, 0, 0.5210953054937474, 10.017874927409903}), 2.5e-7);
}

TEST(SinhTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(SinhOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})}, F32({3}, {kInf, -kInf, kNan}), 1e-7);
}

TEST(SinhTest, RoundsIntegers) {
  ExpectEvaluates(SinhOp(), NoAttributes(), {I32({3}, {-2, 0, 3})}, I32({3}, {-4, 0, 10}));
}

TEST(SinhTest, Sinh_c1_RejectsBoolean) {
  ExpectInferFails(SinhOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Sinh_c1");
}

}  // namespace
}  // namespace burin::ir

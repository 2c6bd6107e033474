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

TEST(CoshTest, ComputesTheFunction) {
  ExpectEvaluates(CoshOp(), NoAttributes(), {F64({4}, {-2, 0, 0.5, 3})},
                  F64({4}, {3.7621956910836314, 1, 1.1276259652063807, 10.067661995777765}), 1e-14);
  ExpectEvaluates(CoshOp(), NoAttributes(), {F32({4}, {-2, 0, 0.5, 3})},
                  F32({4}, {3.7621956910836314, 1, 1.1276259652063807, 10.067661995777765}), 2.5e-7);
}

TEST(CoshTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(CoshOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})}, F32({3}, {kInf, kInf, kNan}), 1e-7);
}

TEST(CoshTest, RoundsIntegers) {
  ExpectEvaluates(CoshOp(), NoAttributes(), {I32({3}, {-2, 0, 3})}, I32({3}, {4, 1, 10}));
}

TEST(CoshTest, Cosh_c1_RejectsBoolean) {
  ExpectInferFails(CoshOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Cosh_c1");
}

}  // namespace
}  // namespace burin::ir

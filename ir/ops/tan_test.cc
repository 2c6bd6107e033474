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

TEST(TanTest, ComputesTheFunction) {
  ExpectEvaluates(TanOp(), NoAttributes(), {F64({4}, {-1, 0, 0.5, 3})},
                  F64({4}, {-1.5574077246549023, 0, 0.5463024898437905, -0.1425465430742778}), 1e-14);
  ExpectEvaluates(TanOp(), NoAttributes(), {F32({4}, {-1, 0, 0.5, 3})},
                  F32({4}, {-1.5574077246549023, 0, 0.5463024898437905, -0.1425465430742778}), 2.5e-7);
}

TEST(TanTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(TanOp(), NoAttributes(), {F32({2}, {kInf, kNan})}, F32({2}, {kNan, kNan}), 1e-7);
}

TEST(TanTest, RoundsIntegers) {
  ExpectEvaluates(TanOp(), NoAttributes(), {I32({3}, {0, 1, -1})}, I32({3}, {0, 2, -2}));
}

TEST(TanTest, Tan_c1_RejectsBoolean) {
  ExpectInferFails(TanOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Tan_c1");
}

}  // namespace
}  // namespace burin::ir

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

TEST(LogTest, ComputesTheFunction) {
  ExpectEvaluates(LogOp(), NoAttributes(), {F64({5}, {1e-09, 0.5, 1, 2, 100})},
                  F64({5}, {-20.72326583694641, -0.6931471805599453, 0, 0.6931471805599453, 4.605170185988092}), 1e-14);
  ExpectEvaluates(LogOp(), NoAttributes(), {F32({5}, {1e-09, 0.5, 1, 2, 100})},
                  F32({5}, {-20.72326583694641, -0.6931471805599453, 0, 0.6931471805599453, 4.605170185988092}),
                  2.5e-7);
}

TEST(LogTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(LogOp(), NoAttributes(), {F32({4}, {0, -1, kInf, kNan})}, F32({4}, {-kInf, kNan, kInf, kNan}), 1e-7);
}

TEST(LogTest, RoundsIntegers) {
  ExpectEvaluates(LogOp(), NoAttributes(), {I32({3}, {1, 2, 100})}, I32({3}, {0, 1, 5}));
}

TEST(LogTest, Log_c1_RejectsBoolean) {
  ExpectInferFails(LogOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Log_c1");
}

}  // namespace
}  // namespace burin::ir

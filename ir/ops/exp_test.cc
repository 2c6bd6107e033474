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

TEST(ExpTest, ComputesTheFunction) {
  ExpectEvaluates(ExpOp(), NoAttributes(), {F64({5}, {-5, -0.5, 0, 1, 10})},
                  F64({5}, {0.006737946999085467, 0.6065306597126334, 1, 2.718281828459045, 22026.465794806718}),
                  1e-14);
  ExpectEvaluates(ExpOp(), NoAttributes(), {F32({5}, {-5, -0.5, 0, 1, 10})},
                  F32({5}, {0.006737946999085467, 0.6065306597126334, 1, 2.718281828459045, 22026.465794806718}),
                  2.5e-7);
}

TEST(ExpTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(ExpOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})}, F32({3}, {kInf, 0, kNan}), 1e-7);
}

TEST(ExpTest, RoundsIntegers) {
  ExpectEvaluates(ExpOp(), NoAttributes(), {I32({3}, {-1, 0, 3})}, I32({3}, {0, 1, 20}));
}

TEST(ExpTest, Exp_c1_RejectsBoolean) {
  ExpectInferFails(ExpOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Exp_c1");
}

}  // namespace
}  // namespace burin::ir

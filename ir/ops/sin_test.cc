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

TEST(SinTest, ComputesTheFunction) {
  ExpectEvaluates(SinOp(), NoAttributes(), {F64({5}, {-2, 0, 1, 3, 100})},
                  F64({5}, {-0.9092974268256817, 0, 0.8414709848078965, 0.1411200080598672, -0.5063656411097588}),
                  1e-14);
  ExpectEvaluates(SinOp(), NoAttributes(), {F32({5}, {-2, 0, 1, 3, 100})},
                  F32({5}, {-0.9092974268256817, 0, 0.8414709848078965, 0.1411200080598672, -0.5063656411097588}),
                  2.5e-7);
}

TEST(SinTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(SinOp(), NoAttributes(), {F32({2}, {kInf, kNan})}, F32({2}, {kNan, kNan}), 1e-7);
}

TEST(SinTest, RoundsIntegers) {
  ExpectEvaluates(SinOp(), NoAttributes(), {I32({3}, {0, 1, -2})}, I32({3}, {0, 1, -1}));
}

TEST(SinTest, Sin_c1_RejectsBoolean) {
  ExpectInferFails(SinOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Sin_c1");
}

}  // namespace
}  // namespace burin::ir

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

TEST(AsinhTest, ComputesTheFunction) {
  ExpectEvaluates(AsinhOp(), NoAttributes(), {F64({5}, {-2, -0.5, 0, 1e-09, 3})},
                  F64({5}, {-1.4436354751788103, -0.48121182505960347, 0, 1e-09, 1.8184464592320668}), 1e-14);
  ExpectEvaluates(AsinhOp(), NoAttributes(), {F32({5}, {-2, -0.5, 0, 1e-09, 3})},
                  F32({5}, {-1.4436354751788103, -0.48121182505960347, 0, 1e-09, 1.8184464592320668}), 2.5e-7);
}

TEST(AsinhTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(AsinhOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})}, F32({3}, {kInf, -kInf, kNan}), 1e-7);
}

TEST(AsinhTest, RoundsIntegers) {
  ExpectEvaluates(AsinhOp(), NoAttributes(), {I32({3}, {-2, 0, 30})}, I32({3}, {-1, 0, 4}));
}

TEST(AsinhTest, Asinh_c1_RejectsBoolean) {
  ExpectInferFails(AsinhOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Asinh_c1");
}

}  // namespace
}  // namespace burin::ir

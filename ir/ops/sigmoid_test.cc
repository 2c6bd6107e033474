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

TEST(SigmoidTest, ComputesTheFunction) {
  ExpectEvaluates(SigmoidOp(), NoAttributes(), {F64({5}, {-10, -0.5, 0, 0.5, 10})},
                  F64({5}, {4.5397868702434395e-05, 0.37754066879814546, 0.5, 0.6224593312018546, 0.9999546021312976}),
                  1e-14);
  ExpectEvaluates(SigmoidOp(), NoAttributes(), {F32({5}, {-10, -0.5, 0, 0.5, 10})},
                  F32({5}, {4.5397868702434395e-05, 0.37754066879814546, 0.5, 0.6224593312018546, 0.9999546021312976}),
                  2.5e-7);
}

TEST(SigmoidTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(SigmoidOp(), NoAttributes(), {F32({4}, {kInf, -kInf, kNan, -1000})}, F32({4}, {1, 0, kNan, 0}), 1e-7);
}

TEST(SigmoidTest, RoundsIntegers) {
  ExpectEvaluates(SigmoidOp(), NoAttributes(), {I32({3}, {-5, 0, 5})}, I32({3}, {0, 1, 1}));
}

TEST(SigmoidTest, Sigmoid_c1_RejectsBoolean) {
  ExpectInferFails(SigmoidOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Sigmoid_c1");
}

}  // namespace
}  // namespace burin::ir

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

TEST(ErfTest, ComputesTheFunction) {
  ExpectEvaluates(ErfOp(), NoAttributes(), {F64({6}, {-3, -0.5, 0, 1e-09, 0.5, 2})},
                  F64({6}, {-0.9999779095030014, -0.5204998778130465, 0, 1.1283791670955127e-09, 0.5204998778130465,
                            0.9953222650189527}),
                  1e-14);
  ExpectEvaluates(ErfOp(), NoAttributes(), {F32({6}, {-3, -0.5, 0, 1e-09, 0.5, 2})},
                  F32({6}, {-0.9999779095030014, -0.5204998778130465, 0, 1.1283791670955127e-09, 0.5204998778130465,
                            0.9953222650189527}),
                  2.5e-7);
}

TEST(ErfTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(ErfOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})}, F32({3}, {1, -1, kNan}), 1e-7);
}

TEST(ErfTest, RoundsIntegers) {
  ExpectEvaluates(ErfOp(), NoAttributes(), {I32({3}, {-2, 0, 1})}, I32({3}, {-1, 0, 1}));
}

TEST(ErfTest, Erf_c1_RejectsBoolean) {
  ExpectInferFails(ErfOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Erf_c1");
}

}  // namespace
}  // namespace burin::ir

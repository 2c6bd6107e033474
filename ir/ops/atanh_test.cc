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

TEST(AtanhTest, ComputesTheFunction) {
  ExpectEvaluates(AtanhOp(), NoAttributes(), {F64({5}, {-0.75, -0.5, 0, 1e-09, 0.9375})},
                  F64({5}, {-0.9729550745276566, -0.5493061443340548, 0, 1e-09, 1.7169936022425731}), 1e-14);
  ExpectEvaluates(AtanhOp(), NoAttributes(), {F32({5}, {-0.75, -0.5, 0, 1e-09, 0.9375})},
                  F32({5}, {-0.9729550745276566, -0.5493061443340548, 0, 1e-09, 1.7169936022425731}), 2.5e-7);
}

TEST(AtanhTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(AtanhOp(), NoAttributes(), {F32({4}, {1, -1, 2, kNan})}, F32({4}, {kInf, -kInf, kNan, kNan}), 1e-7);
}

TEST(AtanhTest, RoundsIntegers) { ExpectEvaluates(AtanhOp(), NoAttributes(), {I32({1}, {0})}, I32({1}, {0})); }

TEST(AtanhTest, Atanh_c1_RejectsBoolean) {
  ExpectInferFails(AtanhOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Atanh_c1");
}

}  // namespace
}  // namespace burin::ir

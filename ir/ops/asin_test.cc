#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(AsinTest, ComputesTheFunction) {
  ExpectEvaluates(AsinOp(), NoAttributes(), {F64({5}, {-1, -0.5, 0, 0.25, 1})},
                  F64({5}, {-1.5707963267948966, -0.5235987755982989, 0, 0.25268025514207865, 1.5707963267948966}),
                  1e-14);
  ExpectEvaluates(AsinOp(), NoAttributes(), {F32({5}, {-1, -0.5, 0, 0.25, 1})},
                  F32({5}, {-1.5707963267948966, -0.5235987755982989, 0, 0.25268025514207865, 1.5707963267948966}),
                  2.5e-7);
}

TEST(AsinTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(AsinOp(), NoAttributes(), {F32({2}, {-1.5, kNan})}, F32({2}, {kNan, kNan}), 1e-7);
}

TEST(AsinTest, RoundsIntegers) {
  ExpectEvaluates(AsinOp(), NoAttributes(), {I32({3}, {-1, 0, 1})}, I32({3}, {-2, 0, 2}));
}

TEST(AsinTest, Asin_c1_RejectsBoolean) {
  ExpectInferFails(AsinOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Asin_c1");
}

}  // namespace
}  // namespace burin::ir

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

TEST(AtanTest, ComputesTheFunction) {
  ExpectEvaluates(AtanOp(), NoAttributes(), {F64({5}, {-1, -0.5, 0, 0.25, 100})},
                  F64({5}, {-0.7853981633974483, -0.4636476090008061, 0, 0.24497866312686414, 1.5607966601082315}),
                  1e-14);
  ExpectEvaluates(AtanOp(), NoAttributes(), {F32({5}, {-1, -0.5, 0, 0.25, 100})},
                  F32({5}, {-0.7853981633974483, -0.4636476090008061, 0, 0.24497866312686414, 1.5607966601082315}),
                  2.5e-7);
}

TEST(AtanTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(AtanOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})},
                  F32({3}, {1.5707963267948966, -1.5707963267948966, kNan}), 1e-7);
}

TEST(AtanTest, RoundsIntegers) {
  ExpectEvaluates(AtanOp(), NoAttributes(), {I32({3}, {-3, 0, 1})}, I32({3}, {-1, 0, 1}));
}

TEST(AtanTest, Atan_c1_RejectsBoolean) {
  ExpectInferFails(AtanOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Atan_c1");
}

}  // namespace
}  // namespace burin::ir

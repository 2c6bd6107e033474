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

TEST(HSigmoidTest, ComputesTheFunction) {
  ExpectEvaluates(HSigmoidOp(), NoAttributes(), {F64({7}, {-4, -3, -1.5, 0, 1.5, 3, 5})},
                  F64({7}, {0, 0, 0.25, 0.5, 0.75, 1, 1}), 1e-14);
  ExpectEvaluates(HSigmoidOp(), NoAttributes(), {F16({7}, {-4, -3, -1.5, 0, 1.5, 3, 5})},
                  F16({7}, {0, 0, 0.25, 0.5, 0.75, 1, 1}));
}

TEST(HSigmoidTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(HSigmoidOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})}, F32({3}, {1, 0, kNan}));
}

TEST(HSigmoidTest, HSigmoid_c1_RejectsIntegers) {
  ExpectInferFails(HSigmoidOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "HSigmoid_c1");
}

}  // namespace
}  // namespace burin::ir

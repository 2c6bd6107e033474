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

TEST(HSwishTest, ComputesTheFunction) {
  ExpectEvaluates(HSwishOp(), NoAttributes(), {F64({7}, {-4, -3, -1.5, 0, 1.5, 3, 5})},
                  F64({7}, {-0.0, -0.0, -0.375, 0, 1.125, 3, 5}), 1e-14);
  ExpectEvaluates(HSwishOp(), NoAttributes(), {F16({7}, {-4, -3, -1.5, 0, 1.5, 3, 5})},
                  F16({7}, {-0.0, -0.0, -0.375, 0, 1.125, 3, 5}));
}

TEST(HSwishTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(HSwishOp(), NoAttributes(), {F32({2}, {kInf, kNan})}, F32({2}, {kInf, kNan}));
}

TEST(HSwishTest, HSwish_c1_RejectsIntegers) {
  ExpectInferFails(HSwishOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "HSwish_c1");
}

}  // namespace
}  // namespace burin::ir

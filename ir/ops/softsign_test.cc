#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(SoftSignTest, ComputesTheFunction) {
  ExpectEvaluates(SoftSignOp(), NoAttributes(), {F64({5}, {-3, -0.5, 0, 1, 4})},
                  F64({5}, {-0.75, -0.3333333333333333, 0, 0.5, 0.8}), 1e-14);
  ExpectEvaluates(SoftSignOp(), NoAttributes(), {F16({5}, {-3, -0.5, 0, 1, 4})},
                  F16({5}, {-0.75, -0.3333333333333333, 0, 0.5, 0.8}));
}

TEST(SoftSignTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(SoftSignOp(), NoAttributes(), {F32({1}, {kNan})}, F32({1}, {kNan}));
}

TEST(SoftSignTest, SoftSign_c1_RejectsIntegers) {
  ExpectInferFails(SoftSignOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "SoftSign_c1");
}

}  // namespace
}  // namespace burin::ir

#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(AcosTest, ComputesTheFunction) {
  ExpectEvaluates(AcosOp(), NoAttributes(), {F64({5}, {-1, -0.5, 0, 0.25, 1})},
                  F64({5}, {3.141592653589793, 2.0943951023931957, 1.5707963267948966, 1.318116071652818, 0}), 1e-14);
  ExpectEvaluates(AcosOp(), NoAttributes(), {F32({5}, {-1, -0.5, 0, 0.25, 1})},
                  F32({5}, {3.141592653589793, 2.0943951023931957, 1.5707963267948966, 1.318116071652818, 0}), 2.5e-7);
}

TEST(AcosTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(AcosOp(), NoAttributes(), {F32({2}, {1.5, kNan})}, F32({2}, {kNan, kNan}), 1e-7);
}

TEST(AcosTest, RoundsIntegers) {
  ExpectEvaluates(AcosOp(), NoAttributes(), {I32({3}, {-1, 0, 1})}, I32({3}, {3, 2, 0}));
}

TEST(AcosTest, Acos_c1_RejectsBoolean) {
  ExpectInferFails(AcosOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Acos_c1");
}

}  // namespace
}  // namespace burin::ir

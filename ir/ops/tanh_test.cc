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

TEST(TanhTest, ComputesTheFunction) {
  ExpectEvaluates(TanhOp(), NoAttributes(), {F64({5}, {-2, -1e-09, 0, 0.5, 3})},
                  F64({5}, {-0.9640275800758169, -1e-09, 0, 0.46211715726000974, 0.9950547536867305}), 1e-14);
  ExpectEvaluates(TanhOp(), NoAttributes(), {F32({5}, {-2, -1e-09, 0, 0.5, 3})},
                  F32({5}, {-0.9640275800758169, -1e-09, 0, 0.46211715726000974, 0.9950547536867305}), 2.5e-7);
}

TEST(TanhTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(TanhOp(), NoAttributes(), {F32({3}, {kInf, -kInf, kNan})}, F32({3}, {1, -1, kNan}), 1e-7);
}

TEST(TanhTest, RoundsIntegers) {
  ExpectEvaluates(TanhOp(), NoAttributes(), {I32({3}, {-3, 0, 2})}, I32({3}, {-1, 0, 1}));
}

TEST(TanhTest, Tanh_c1_RejectsBoolean) {
  ExpectInferFails(TanhOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Tanh_c1");
}

}  // namespace
}  // namespace burin::ir

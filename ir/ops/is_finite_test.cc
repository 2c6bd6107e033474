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

TEST(IsFiniteTest, TellsFiniteNumbers) {
  ExpectEvaluates(IsFiniteOp(), NoAttributes(), {F32({5}, {0, -1e38, kInf, -kInf, kNan})}, Bool({5}, {1, 1, 0, 0, 0}));
  ExpectEvaluates(IsFiniteOp(), NoAttributes(), {F16({2}, {65504, 70000})}, Bool({2}, {1, 0}));
}

TEST(IsFiniteTest, IsFinite_c1_RejectsIntegers) {
  ExpectInferFails(IsFiniteOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "IsFinite_c1");
}

}  // namespace
}  // namespace burin::ir

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

TEST(IsNaNTest, TellsNan) {
  ExpectEvaluates(IsNaNOp(), NoAttributes(), {F32({4}, {0, kInf, -kInf, kNan})}, Bool({4}, {0, 0, 0, 1}));
  ExpectEvaluates(IsNaNOp(), NoAttributes(), {BF16({2}, {kNan, 1})}, Bool({2}, {1, 0}));
}

TEST(IsNaNTest, IsNaN_c1_RejectsIntegers) {
  ExpectInferFails(IsNaNOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "IsNaN_c1");
}

}  // namespace
}  // namespace burin::ir

#include "ir/ops/elu.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(EluTest, ScalesTheNegativePart) {
  EluAttributes attributes;
  ExpectEvaluates(EluOp(), attributes, {F64({4}, {-1, 0, 2, -kInf})}, F64({4}, {-0.6321205588285577, 0, 2, -1}), 1e-15);
  attributes.alpha = 2;
  ExpectEvaluates(EluOp(), attributes, {F32({4}, {-1, 1, kInf, kNan})}, F32({4}, {-1.2642411176571153, 1, kInf, kNan}));
  ExpectEvaluates(EluOp(), attributes, {BF16({2}, {-100, 1})}, BF16({2}, {-2, 1}));
}

TEST(EluTest, Elu_c1_RejectsIntegers) {
  ExpectInferFails(EluOp(), EluAttributes(), {Known(ElementType::kI32, {2})}, "Elu_c1");
}

}  // namespace
}  // namespace burin::ir

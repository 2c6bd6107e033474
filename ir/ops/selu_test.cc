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

TEST(SeluTest, ScalesBothParts) {
  // 3 * 2 * (exp(-1) - 1) = -3.7927233529713461.
  ExpectEvaluates(SeluOp(), NoAttributes(), {F32({5}, {-1, 0, 1, -kInf, kNan}), F32({1}, {2}), F32({1}, {3})},
                  F32({5}, {-3.7927233529713461, 0, 3, -6, kNan}));
  ExpectEvaluates(SeluOp(), NoAttributes(), {F64({}, {2}), F64({}, {2}), F64({1}, {3})}, F64({}, {6}));
}

TEST(SeluTest, Selu_c1_RejectsIntegersAndMixedTypes) {
  ExpectInferFails(SeluOp(), NoAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {}), Known(ElementType::kI32, {})},
                   "Selu_c1");
  ExpectInferFails(SeluOp(), NoAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {}), Known(ElementType::kF16, {})},
                   "Selu_c1");
}

TEST(SeluTest, Selu_c2_RejectsParametersOfMoreElements) {
  ExpectInferFails(SeluOp(), NoAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {2}), Known(ElementType::kF32, {1})},
                   "Selu_c2");
  ExpectInferFails(SeluOp(), NoAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {}), Known(ElementType::kF32, {1, 1})},
                   "Selu_c2");
}

}  // namespace
}  // namespace burin::ir

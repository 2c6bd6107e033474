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

TEST(HardSigmoidTest, ClipsTheLine) {
  ExpectEvaluates(HardSigmoidOp(), NoAttributes(),
                  {F32({6}, {-1, 0, 1, kInf, -kInf, kNan}), F32({}, {0.5}), F32({}, {0.6})},
                  F32({6}, {0.1, 0.6, 1, 1, 0, kNan}), 1e-6);
  ExpectEvaluates(HardSigmoidOp(), NoAttributes(), {F16({2}, {-1, 1}), F16({}, {0.25}), F16({}, {0.5})},
                  F16({2}, {0.25, 0.75}));
}

TEST(HardSigmoidTest, HardSigmoid_c1_RejectsIntegersAndMixedTypes) {
  ExpectInferFails(HardSigmoidOp(), NoAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {}), Known(ElementType::kI32, {})},
                   "HardSigmoid_c1");
  ExpectInferFails(HardSigmoidOp(), NoAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {}), Known(ElementType::kF16, {})},
                   "HardSigmoid_c1");
}

TEST(HardSigmoidTest, HardSigmoid_c2_RejectsParametersThatAreNoScalars) {
  ExpectInferFails(HardSigmoidOp(), NoAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {}), Known(ElementType::kF32, {1})},
                   "HardSigmoid_c2");
}

}  // namespace
}  // namespace burin::ir

#include "ir/ops/is_inf.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(IsInfTest, DetectsTheInfinitiesAskedFor) {
  IsInfAttributes attributes;
  ExpectEvaluates(IsInfOp(), attributes, {F32({4}, {-kInf, kInf, kNan, 1})}, Bool({4}, {1, 1, 0, 0}));
  attributes.detect_negative = false;
  ExpectEvaluates(IsInfOp(), attributes, {F16({3}, {-kInf, kInf, 1})}, Bool({3}, {0, 1, 0}));
  attributes.detect_positive = false;
  ExpectEvaluates(IsInfOp(), attributes, {F64({3}, {-kInf, kInf, 1})}, Bool({3}, {0, 0, 0}));
  attributes.detect_negative = true;
  ExpectEvaluates(IsInfOp(), attributes, {F32({3}, {-kInf, kInf, 1})}, Bool({3}, {1, 0, 0}));
}

TEST(IsInfTest, IsInf_c1_RejectsIntegers) {
  ExpectInferFails(IsInfOp(), IsInfAttributes(), {Known(ElementType::kI32, {2})}, "IsInf_c1");
}

}  // namespace
}  // namespace burin::ir

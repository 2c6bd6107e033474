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

TEST(SoftPlusTest, ComputesTheFunction) {
  ExpectEvaluates(
      SoftPlusOp(), NoAttributes(), {F64({5}, {-3, -0.5, 0, 0.5, 4})},
      F64({5}, {0.04858735157374196, 0.4740769841801067, 0.6931471805599453, 0.9740769841801067, 4.0181499279178094}),
      1e-14);
  ExpectEvaluates(
      SoftPlusOp(), NoAttributes(), {F16({5}, {-3, -0.5, 0, 0.5, 4})},
      F16({5}, {0.04858735157374196, 0.4740769841801067, 0.6931471805599453, 0.9740769841801067, 4.0181499279178094}));
}

TEST(SoftPlusTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(SoftPlusOp(), NoAttributes(), {F32({5}, {kInf, -kInf, kNan, 1000, -1000})},
                  F32({5}, {kInf, 0, kNan, 1000, 0}));
}

TEST(SoftPlusTest, SoftPlus_c1_RejectsIntegers) {
  ExpectInferFails(SoftPlusOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "SoftPlus_c1");
}

}  // namespace
}  // namespace burin::ir

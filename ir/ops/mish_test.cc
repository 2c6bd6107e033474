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

TEST(MishTest, ComputesTheFunction) {
  ExpectEvaluates(MishOp(), NoAttributes(), {F64({5}, {-3, -0.5, 0, 0.5, 4})},
                  F64({5}, {-0.14564746127562428, -0.22074377465173, 0, 0.3752452113048951, 3.9974128069762385}),
                  1e-14);
  ExpectEvaluates(MishOp(), NoAttributes(), {F16({5}, {-3, -0.5, 0, 0.5, 4})},
                  F16({5}, {-0.14564746127562428, -0.22074377465173, 0, 0.3752452113048951, 3.9974128069762385}));
}

TEST(MishTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(MishOp(), NoAttributes(), {F32({3}, {kInf, kNan, 1000})}, F32({3}, {kInf, kNan, 1000}));
}

TEST(MishTest, Mish_c1_RejectsIntegers) {
  ExpectInferFails(MishOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "Mish_c1");
}

}  // namespace
}  // namespace burin::ir

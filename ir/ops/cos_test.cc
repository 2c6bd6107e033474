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

TEST(CosTest, ComputesTheFunction) {
  ExpectEvaluates(CosOp(), NoAttributes(), {F64({5}, {-2, 0, 1, 3, 100})},
                  F64({5}, {-0.4161468365471424, 1, 0.5403023058681398, -0.9899924966004454, 0.8623188722876839}),
                  1e-14);
  ExpectEvaluates(CosOp(), NoAttributes(), {F32({5}, {-2, 0, 1, 3, 100})},
                  F32({5}, {-0.4161468365471424, 1, 0.5403023058681398, -0.9899924966004454, 0.8623188722876839}),
                  2.5e-7);
}

TEST(CosTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(CosOp(), NoAttributes(), {F32({2}, {kInf, kNan})}, F32({2}, {kNan, kNan}), 1e-7);
}

TEST(CosTest, RoundsIntegers) { ExpectEvaluates(CosOp(), NoAttributes(), {I32({3}, {0, 1, 3})}, I32({3}, {1, 1, -1})); }

TEST(CosTest, Cos_c1_RejectsBoolean) {
  ExpectInferFails(CosOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Cos_c1");
}

}  // namespace
}  // namespace burin::ir

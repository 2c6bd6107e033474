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

TEST(AcoshTest, ComputesTheFunction) {
  ExpectEvaluates(AcoshOp(), NoAttributes(), {F64({4}, {1, 1.5, 2, 10})},
                  F64({4}, {0, 0.9624236501192069, 1.3169578969248166, 2.993222846126381}), 1e-14);
  ExpectEvaluates(AcoshOp(), NoAttributes(), {F32({4}, {1, 1.5, 2, 10})},
                  F32({4}, {0, 0.9624236501192069, 1.3169578969248166, 2.993222846126381}), 2.5e-7);
}

TEST(AcoshTest, HandlesTheEndsOfItsDomain) {
  ExpectEvaluates(AcoshOp(), NoAttributes(), {F32({3}, {0.5, kInf, kNan})}, F32({3}, {kNan, kInf, kNan}), 1e-7);
}

TEST(AcoshTest, RoundsIntegers) {
  ExpectEvaluates(AcoshOp(), NoAttributes(), {I32({3}, {1, 2, 30})}, I32({3}, {0, 1, 4}));
}

TEST(AcoshTest, Acosh_c1_RejectsBoolean) {
  ExpectInferFails(AcoshOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Acosh_c1");
}

}  // namespace
}  // namespace burin::ir

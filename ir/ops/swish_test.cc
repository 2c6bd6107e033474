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

TEST(SwishTest, MultipliesByTheSigmoid) {
  ExpectEvaluates(SwishOp(), NoAttributes(), {F32({5}, {-1, 0, 1, kInf, kNan})},
                  F32({5}, {-0.2689414213699951, 0, 0.7310585786300049, kInf, kNan}), 1e-7);
  ExpectEvaluates(SwishOp(), NoAttributes(), {F64({2}, {-1000, 1000})}, F64({2}, {-0.0, 1000}));
}

TEST(SwishTest, TakesBeta) {
  // sigmoid(2) = 0.8807970779778824.
  ExpectEvaluates(SwishOp(), NoAttributes(), {F64({2}, {1, -1}), F64({}, {2})},
                  F64({2}, {0.8807970779778824, -0.11920292202211755}), 1e-14);
}

TEST(SwishTest, Swish_c1_RejectsIntegersAndMixedTypes) {
  ExpectInferFails(SwishOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "Swish_c1");
  ExpectInferFails(SwishOp(), NoAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF16, {})},
                   "Swish_c1");
}

TEST(SwishTest, Swish_c2_RejectsBetaThatIsNoScalar) {
  ExpectInferFails(SwishOp(), NoAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {1})},
                   "Swish_c2");
}

}  // namespace
}  // namespace burin::ir

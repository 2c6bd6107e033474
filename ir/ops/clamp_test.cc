#include "ir/ops/clamp.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ClampAttributes Bounds(double min, double max) {
  ClampAttributes attributes;
  attributes.min = min;
  attributes.max = max;
  return attributes;
}

TEST(ClampTest, ClipsFloats) {
  ExpectEvaluates(ClampOp(), Bounds(-1, 6), {F32({2, 3}, {-2, -1, 0.5, 6.5, -kInf, kNan})},
                  F32({2, 3}, {-1, -1, 0.5, 6, -1, kNan}));
  ExpectEvaluates(ClampOp(), Bounds(0, 6), {F16({2}, {-2, 7})}, F16({2}, {0, 6}));
  ExpectEvaluates(ClampOp(), Bounds(0, kInf), {F32({2}, {-2, 7})}, F32({2}, {0, 7}));
}

TEST(ClampTest, RoundsTheBoundsOfIntegersInwards) {
  ExpectEvaluates(ClampOp(), Bounds(-1.5, 2.5), {I32({4}, {-3, -1, 2, 3})}, I32({4}, {-1, -1, 2, 2}));
  ExpectEvaluates(ClampOp(), Bounds(-10, 100), {U8({2}, {0, 200})}, U8({2}, {0, 100}));
}

TEST(ClampTest, KeepsLargeIntegersExact) {
  const int64_t large = std::numeric_limits<int64_t>::max();
  ExpectEvaluates(ClampOp(), ClampAttributes(), {I64({2}, {large, -large})}, I64({2}, {large, -large}));
  ExpectEvaluates(ClampOp(), Bounds(0, 1e30), {IntTensor(ElementType::kU64, {1}, {-1})},
                  IntTensor(ElementType::kU64, {1}, {-1}));
}

TEST(ClampTest, Clamp_c1_RejectsBoolean) {
  ExpectInferFails(ClampOp(), Bounds(0, 1), {Known(ElementType::kBoolean, {2})}, "Clamp_c1");
}

TEST(ClampTest, Clamp_c2_RejectsBoundsOutOfOrder) {
  ExpectInferFails(ClampOp(), Bounds(1, 0), {Known(ElementType::kF32, {2})}, "Clamp_c2");
  ExpectInferFails(ClampOp(), Bounds(kNan, 0), {Known(ElementType::kF32, {2})}, "Clamp_c2");
}

}  // namespace
}  // namespace burin::ir

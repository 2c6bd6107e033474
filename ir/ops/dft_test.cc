#include "ir/ops/dft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kTiny = 1e-6;

DFTAttributes Make(bool inverse, bool onesided) {
  DFTAttributes attributes;
  attributes.inverse = inverse;
  attributes.onesided = onesided;
  return attributes;
}

// x[n] of 4: X[k] = x0 + x1 (-i)^k + x2 (-1)^k + x3 i^k.
TEST(DFTTest, OfRealAndComplexSignals) {
  const Tensor axis = I64({}, {1});
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({1, 4, 1}, {1, 2, 3, 5}), axis},
                  F32({1, 4, 2}, {11, 0, -2, 3, -3, 0, -2, -3}), kTiny, kTiny);
  ExpectEvaluates(DFTOp(), Make(false, false), {F16({1, 4, 2}, {0, 1, 0, 2, 0, 3, 0, 5}), axis},
                  F16({1, 4, 2}, {0, 11, -3, -2, 0, -3, 3, -2}));
  ExpectEvaluates(DFTOp(), Make(true, false), {F64({1, 4, 2}, {11, 0, -2, 3, -3, 0, -2, -3}), axis},
                  F64({1, 4, 2}, {1, 0, 2, 0, 3, 0, 5, 0}), 1e-14, 1e-14);
}

TEST(DFTTest, Onesided) {
  const Tensor axis = I32({1}, {-2});
  ExpectEvaluates(DFTOp(), Make(false, true), {F32({4, 1}, {1, 2, 3, 5}), axis}, F32({3, 2}, {11, 0, -2, 3, -3, 0}),
                  kTiny, kTiny);
  ExpectEvaluates(DFTOp(), Make(true, true), {F32({3, 2}, {11, 0, -2, 3, -3, 0}), axis}, F32({4, 1}, {1, 2, 3, 5}),
                  kTiny, kTiny);
  // The imaginary parts of what is its own conjugate do not count.
  ExpectEvaluates(DFTOp(), Make(true, true), {F32({3, 2}, {11, 9, -2, 3, -3, 9}), axis}, F32({4, 1}, {1, 2, 3, 5}),
                  kTiny, kTiny);
  // An odd length, from one number more than it has frequencies: 3 + 2 * 1 * cos(2 pi n / 3), by 3.
  ExpectEvaluates(DFTOp(), Make(true, true), {F32({3, 2}, {3, 0, 1, 0, 7, 7}), axis, I64({}, {3})},
                  F32({3, 1}, {5.0 / 3, 2.0 / 3, 2.0 / 3}), kTiny, kTiny);
}

TEST(DFTTest, SignalsAreCutOrContinued) {
  const Tensor axis = I64({}, {0});
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({3, 1}, {1, 2, 9}), axis, I64({}, {2})}, F32({2, 2}, {3, 0, -1, 0}),
                  kTiny, kTiny);
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({1, 1}, {7}), axis, I32({}, {2})}, F32({2, 2}, {7, 0, 7, 0}), kTiny,
                  kTiny);
}

TEST(DFTTest, AlongAnyAxisButTheLast) {
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({2, 2, 1}, {1, 2, 3, 4}), I64({}, {0})},
                  F32({2, 2, 2}, {4, 0, 6, 0, -2, 0, -2, 0}), kTiny, kTiny);
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({2, 2, 1}, {1, 2, 3, 4}), I64({}, {1})},
                  F32({2, 2, 2}, {3, 0, -1, 0, 7, 0, -1, 0}), kTiny, kTiny);
}

// Of an impulse at s: exp(-2 pi i s k / n). The lengths are primes, powers of primes and products of several.
TEST(DFTTest, OfImpulsesOfManyLengths) {
  for (const int64_t length : {1, 2, 3, 5, 8, 9, 12, 30, 49, 64, 77, 210, 251}) {
    SCOPED_TRACE(length);
    const int64_t place = length * 2 / 3;
    std::vector<double> impulse(static_cast<size_t>(length), 0);
    impulse[static_cast<size_t>(place)] = 1;
    std::vector<double> waves;
    for (int64_t k = 0; k < length; ++k) {
      const double angle = -2 * std::acos(-1.0) * static_cast<double>(place * k % length) / static_cast<double>(length);
      waves.push_back(std::cos(angle));
      waves.push_back(std::sin(angle));
    }
    const Tensor signal = F64({length, 1}, impulse);
    ExpectEvaluates(DFTOp(), Make(false, false), {signal, I64({}, {0})}, F64({length, 2}, waves), 0, 1e-12);
    ASSERT_OK_AND_ASSIGN(const Tensor half, Evaluate(DFTOp(), Make(false, true), {signal, I64({}, {0})}));
    ExpectEvaluates(DFTOp(), Make(true, true), {half, I64({}, {0}), I64({}, {length})}, signal, 0, 1e-12);
  }
}

TEST(DFTTest, WithoutElements) {
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({0, 3, 1}, {}), I64({}, {1})}, F32({0, 3, 2}, {}));
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({2, 0, 1}, {}), I64({}, {1})}, F32({2, 0, 2}, {}));
  ExpectEvaluates(DFTOp(), Make(false, false), {F32({0, 1}, {}), I64({}, {0}), I64({}, {2})},
                  F32({2, 2}, {0, 0, 0, 0}));
  ExpectEvaluates(DFTOp(), Make(false, true), {F32({3, 1}, {1, 2, 3}), I64({}, {0}), I64({}, {0})},
                  F32({1, 2}, {0, 0}));
  ExpectEvaluates(DFTOp(), Make(true, true), {F32({1, 2}, {1, 2}), I64({}, {0})}, F32({0, 1}, {}));
}

TEST(DFTTest, InfersAsMuchAsIsKnown) {
  const Dimension n = Dimension::Symbol("n");
  const auto infer = [](bool onesided, const PartialShape& data, const std::vector<ValueInfo>& more) {
    std::vector<ValueInfo> inputs = {Known(ElementType::kF32, data)};
    inputs.insert(inputs.end(), more.begin(), more.end());
    return InferOne(DFTOp(), Make(false, onesided), inputs);
  };
  const ValueInfo first = Constant(I64({}, {0}));
  const ValueInfo number = Known(ElementType::kI64, {});
  ASSERT_OK_AND_ASSIGN(const ValueInfo symbol, infer(false, {n, 4, Dimension()}, {first}));
  EXPECT_EQ(symbol.shape, PartialShape({n, 4, 2}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo length, infer(false, {n, 4, 1}, {first, PartialScalar(Dimension(3, 8))}));
  EXPECT_EQ(length.shape, PartialShape({Dimension(3, 8), 4, 2}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo half, infer(true, {9, 4, 1}, {first}));
  EXPECT_EQ(half.shape, PartialShape({5, 4, 2}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo axis, infer(true, {9, 4, 1}, {number}));
  EXPECT_EQ(axis.shape, PartialShape({Dimension(5, 9), Dimension(3, 4), 2}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank, infer(true, PartialShape::DynamicRank(), {first}));
  EXPECT_FALSE(rank.shape.has_rank());
}

void ExpectRefuses(ElementType type, const PartialShape& data, const std::vector<ValueInfo>& more, const char* label) {
  std::vector<ValueInfo> inputs = {Known(type, data)};
  inputs.insert(inputs.end(), more.begin(), more.end());
  ExpectInferFails(DFTOp(), Make(false, false), inputs, label);
}

TEST(DFTTest, C1_RefusesOtherData) {
  ExpectRefuses(ElementType::kI32, {4, 1}, {Constant(I64({}, {0}))}, "DFT_c1");
  ExpectRefuses(ElementType::kF32, {4}, {Constant(I64({}, {0}))}, "DFT_c1");
}

TEST(DFTTest, C2_RefusesOtherParts) {
  ExpectRefuses(ElementType::kF32, {4, 3}, {Constant(I64({}, {0}))}, "DFT_c2");
  ExpectRefuses(ElementType::kF32, {4, 0}, {Constant(I64({}, {0}))}, "DFT_c2");
}

TEST(DFTTest, C3_RefusesAxes) {
  for (const int64_t axis : {-4, -1, 2, 3}) {
    ExpectRefuses(ElementType::kF32, {4, 4, 1}, {Constant(I64({}, {axis}))}, "DFT_c3");
  }
  ExpectRefuses(ElementType::kF32, {4, 4, 1}, {Constant(I64({2}, {0, 1}))}, "DFT_c3");
  ExpectRefuses(ElementType::kF32, {4, 4, 1}, {Constant(F32({}, {0}))}, "DFT_c3");
}

TEST(DFTTest, C4_RefusesLengths) {
  const ValueInfo axis = Constant(I64({}, {0}));
  ExpectRefuses(ElementType::kF32, {4, 1}, {axis, Constant(I64({}, {-1}))}, "DFT_c4");
  ExpectRefuses(ElementType::kF32, {4, 1}, {axis, Constant(I64({}, {INT64_MAX}))}, "DFT_c4");
  ExpectRefuses(ElementType::kF32, {4, 1}, {axis, Constant(I64({2}, {1, 2}))}, "DFT_c4");
}

}  // namespace
}  // namespace burin::ir

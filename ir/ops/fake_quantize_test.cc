#include "ir/ops/fake_quantize.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

FakeQuantizeAttributes Levels(int64_t levels) {
  FakeQuantizeAttributes attributes;
  attributes.levels = levels;
  return attributes;
}

std::vector<ValueInfo> Infos(ElementType type, const PartialShape& x, const PartialShape& limit) {
  std::vector<ValueInfo> infos = {Known(type, x)};
  infos.resize(5, Known(type, limit));
  return infos;
}

TEST(FakeQuantizeTest, RoundsToTheLevels) {
  // 5 levels of [0, 4] onto [-2, 2]: the halves go to the even level.
  ExpectEvaluates(FakeQuantizeOp(), Levels(5),
                  {F32({10}, {-1, 0, 0.5, 0.6, 1.5, 2.4, 3.5, 4, 5, kNan}), F32({}, {0}), F32({}, {4}), F32({}, {-2}),
                   F32({}, {2})},
                  F32({10}, {-2, -2, -2, -1, 0, 0, 2, 2, 2, kNan}));
  ExpectEvaluates(FakeQuantizeOp(), Levels(256),
                  {F32({4}, {-kInf, kInf, 0.1, 100.4}), F32({1}, {0}), F32({1}, {255}), F32({1}, {0}), F32({1}, {255})},
                  F32({4}, {0, 255, 0, 100}), 1e-6);
}

TEST(FakeQuantizeTest, BinarizesWhereTheInputLimitsAreTheSame) {
  ExpectEvaluates(FakeQuantizeOp(), Levels(2),
                  {F16({3}, {0.5, 1, 1.5}), F16({}, {1}), F16({}, {1}), F16({}, {-1}), F16({}, {1})},
                  F16({3}, {-1, -1, 1}));
}

TEST(FakeQuantizeTest, AcceptsLimitsInDescendingOrder) {
  // As the formula says: the level of 1 is round((1 - 4) / (0 - 4) * 4) = 3.
  ExpectEvaluates(FakeQuantizeOp(), Levels(5),
                  {F32({3}, {-1, 1, 5}), F32({}, {4}), F32({}, {0}), F32({}, {0}), F32({}, {4})}, F32({3}, {0, 3, 4}));
}

TEST(FakeQuantizeTest, TakesLimitsPerChannel) {
  ExpectEvaluates(FakeQuantizeOp(), Levels(3),
                  {F32({1, 2, 2}, {0.4, 1.6, 4, 16}), F32({}, {0}), F32({1, 2, 1}, {2, 20}), F32({1, 1, 1}, {0}),
                   F32({2, 1}, {2, 20})},
                  F32({1, 2, 2}, {0, 2, 0, 20}));
  FakeQuantizeAttributes pdpd = Levels(3);
  pdpd.broadcast = {AutoBroadcast::kPdpd, 1};
  ExpectEvaluates(
      FakeQuantizeOp(), pdpd,
      {F32({1, 2, 2}, {0.4, 1.6, 4, 16}), F32({1}, {0}), F32({2}, {2, 20}), F32({1}, {0}), F32({2}, {2, 20})},
      F32({1, 2, 2}, {0, 2, 0, 20}));
}

TEST(FakeQuantizeTest, TheOutputHasTheShapeOfX) {
  const PartialShape x = {Dimension::Symbol("n"), Dimension(), 4};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out,
                       InferOne(FakeQuantizeOp(), Levels(256), Infos(ElementType::kF32, x, {1, 3, 1})));
  EXPECT_EQ(out.shape, PartialShape({Dimension::Symbol("n"), 3, 4}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo any, InferOne(FakeQuantizeOp(), Levels(256),
                                                     Infos(ElementType::kF32, PartialShape::DynamicRank(), {3})));
  EXPECT_FALSE(any.shape.has_rank());
}

TEST(FakeQuantizeTest, FakeQuantize_c1_RejectsIntegersAndMixedTypes) {
  ExpectInferFails(FakeQuantizeOp(), Levels(256), Infos(ElementType::kI32, {2}, {}), "FakeQuantize_c1");
  std::vector<ValueInfo> infos = Infos(ElementType::kF32, {2}, {});
  infos[4] = Known(ElementType::kF16, {});
  ExpectInferFails(FakeQuantizeOp(), Levels(256), infos, "FakeQuantize_c1");
}

TEST(FakeQuantizeTest, FakeQuantize_c2_RejectsFewerThanTwoLevels) {
  for (const int64_t levels : {std::numeric_limits<int64_t>::min(), int64_t{0}, int64_t{1}}) {
    ExpectInferFails(FakeQuantizeOp(), Levels(levels), Infos(ElementType::kF32, {2}, {}), "FakeQuantize_c2");
  }
}

TEST(FakeQuantizeTest, FakeQuantize_c3_RejectsLimitsThatDoNotBroadcastToX) {
  ExpectInferFails(FakeQuantizeOp(), Levels(256), Infos(ElementType::kF32, {1, 2}, {3, 2}), "FakeQuantize_c3");
  ExpectInferFails(FakeQuantizeOp(), Levels(256), Infos(ElementType::kF32, {2}, {1, 2}), "FakeQuantize_c3");
}

}  // namespace
}  // namespace burin::ir

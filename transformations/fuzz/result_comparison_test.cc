#include "transformations/fuzz/result_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/element_type.h"
#include "ir/ops/op_testlib.h"

namespace burin::transformations {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ResultComparisonTest, TellsBitsApartButNotThoseOfNans) {
  EXPECT_TRUE(SameElements(ir::F32({3}, {1, kNan, kInfinite}), ir::F32({3}, {1, -kNan, kInfinite})));
  EXPECT_FALSE(SameElements(ir::F32({1}, {0}), ir::F32({1}, {-0.0})));
  EXPECT_FALSE(SameElements(ir::F32({1}, {1}), ir::F32({}, {1})));
  EXPECT_FALSE(SameElements(ir::F32({1}, {1}), ir::F64({1}, {1})));
  EXPECT_FALSE(SameElements(ir::I64({1}, {1}), ir::I64({1}, {2})));
}

TEST(ResultComparisonTest, MeasuresDistancesInUnitsOfTheLargestMagnitude) {
  EXPECT_EQ(DistanceInUnits(ir::F32({2}, {1, 2}), ir::F32({2}, {1, 2})), 0);
  EXPECT_EQ(DistanceInUnits(ir::F32({2}, {0.5, 4 + 0x1p-21}), ir::F32({2}, {0.5, 4})), 1);
  EXPECT_EQ(DistanceInUnits(ir::F32({2}, {0.5 + 0x1p-21, 4}), ir::F32({2}, {0.5, 4})), 1);
  EXPECT_EQ(DistanceInUnits(ir::F32({1}, {0}), ir::F32({1}, {-0.0})), 0);
}

TEST(ResultComparisonTest, FindsInfinitelyFarWhatNoRoundingExplains) {
  EXPECT_EQ(DistanceInUnits(ir::F32({1}, {kNan}), ir::F32({1}, {1})), kInfinite);
  EXPECT_EQ(DistanceInUnits(ir::F32({1}, {1}), ir::F32({1}, {kInfinite})), kInfinite);
  EXPECT_EQ(DistanceInUnits(ir::F32({1}, {1}), ir::F32({1}, {0})), kInfinite);
  EXPECT_EQ(DistanceInUnits(ir::F32({1}, {1}), ir::F32({2}, {1, 1})), kInfinite);
  EXPECT_EQ(DistanceInUnits(ir::I64({1}, {1}), ir::I64({1}, {2})), kInfinite);
}

TEST(ResultComparisonTest, KnowsTheUnitOfEachType) {
  EXPECT_EQ(UnitOf(ElementType::kF64), 0x1p-52);
  EXPECT_EQ(UnitOf(ElementType::kF32), 0x1p-23);
  EXPECT_EQ(UnitOf(ElementType::kF16), 0x1p-10);
  EXPECT_EQ(UnitOf(ElementType::kBf16), 0x1p-7);
}

}  // namespace
}  // namespace burin::transformations

#include "transformations/folding/channel_constant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Optional;

constexpr int64_t kAny = ir::Dimension::kInfinite;

TEST(ChannelConstantTest, ChannelAxis) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,?]}
  %1 "w" = Parameter() {shape = [4,2,1]}
  %2 "vector" = Parameter() {shape = [?]}
  %3 "any" = Parameter() {shape = [...]}
  %4 = Convolution(%0, %1)
  %5 = MatMul(%0, %0)
  %6 = MatMul(%0, %2)
  %7 = MatMul(%0, %3)
})"));
  const auto axis = [&model](int id) { return ChannelAxis(*model, model->node(static_cast<ir::NodeId>(id))); };
  EXPECT_THAT(axis(4), Optional(1));
  EXPECT_THAT(axis(5), Optional(2));
  EXPECT_THAT(axis(6), Eq(std::nullopt));
  EXPECT_THAT(axis(7), Eq(std::nullopt));
}

TEST(ChannelConstantTest, ConvertedInteger) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "i" = Parameter() {element_type = u8, shape = [2]}
  %1 "f" = Parameter() {element_type = f16, shape = [2]}
  %2 = Convert(%0) {destination_type = f32}
  %3 = Convert(%1) {destination_type = f32}
})"));
  const auto converted = [&model](int id) {
    return IsConvertedInteger(*model, ir::Value{static_cast<ir::NodeId>(id), 0});
  };
  EXPECT_TRUE(converted(2));
  EXPECT_FALSE(converted(3));
  EXPECT_FALSE(converted(0));
}

TEST(ChannelConstantTest, PerChannelShape) {
  const ir::PartialShape data = {ir::Dimension(0, kAny), 2, ir::Dimension(0, kAny)};
  const ir::BroadcastRule numpy;
  EXPECT_THAT(PerChannelShape(numpy, {2, 1}, data, 1), Optional(ElementsAre(1, 2, 1)));
  EXPECT_THAT(PerChannelShape(numpy, {}, data, 1), Optional(ElementsAre(1, 1, 1)));
  EXPECT_THAT(PerChannelShape(numpy, {2}, data, 1), Eq(std::nullopt));
  EXPECT_THAT(PerChannelShape(numpy, {2}, data, 2), Eq(std::nullopt));
  EXPECT_THAT(PerChannelShape(numpy, {1, 1, 1, 1}, data, 1), Eq(std::nullopt));
  EXPECT_THAT(PerChannelShape(numpy, {}, ir::PartialShape::DynamicRank(), 1), Eq(std::nullopt));
  ir::BroadcastRule pdpd;
  pdpd.mode = ir::AutoBroadcast::kPdpd;
  pdpd.axis = 1;
  EXPECT_THAT(PerChannelShape(pdpd, {2}, data, 1), Optional(ElementsAre(1, 2, 1)));
}

TEST(ChannelConstantTest, Magnitudes) {
  ASSERT_OK_AND_ASSIGN(const Magnitudes some, MagnitudesOf(ir::F32({4}, {-3, 0, 0.5, 2})));
  EXPECT_EQ(some.largest, 3);
  EXPECT_EQ(some.smallest_but_zero, 0.5);
  EXPECT_TRUE(some.any_zero);
  EXPECT_TRUE(some.finite);
  ASSERT_OK_AND_ASSIGN(const Magnitudes wild, MagnitudesOf(ir::F16({2}, {1e6, 0})));
  EXPECT_FALSE(wild.finite);
  ASSERT_OK_AND_ASSIGN(const Magnitudes undefined, MagnitudesOf(ir::F32({3}, {1, std::nan(""), 2})));
  EXPECT_FALSE(undefined.finite);
  ASSERT_OK_AND_ASSIGN(const Magnitudes subnormal, MagnitudesOf(ir::F64({3}, {-0.0, -5e-324, 5e-324})));
  EXPECT_EQ(subnormal.largest, 5e-324);
  EXPECT_EQ(subnormal.smallest_but_zero, 5e-324);
  EXPECT_TRUE(subnormal.any_zero);
  for (const ir::Tensor& nothing : {ir::F32({0}, {}), ir::F32({2}, {0, -0.0})}) {
    ASSERT_OK_AND_ASSIGN(const Magnitudes magnitudes, MagnitudesOf(nothing));
    EXPECT_EQ(magnitudes.largest, 0);
    EXPECT_EQ(magnitudes.smallest_but_zero, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(magnitudes.finite);
  }
}

TEST(ChannelConstantTest, RangesOfTypes) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF32, ElementType::kF64}) {
    SCOPED_TRACE(Name(type));
    ASSERT_TRUE(IsWideFloat(type));
    const double largest = LargestFinite(type);
    const double smallest = SmallestNormal(type);
    EXPECT_EQ(ir::Doubles(ir::FloatTensor(type, {2}, {largest, smallest})), (std::vector<double>{largest, smallest}));
    // The next number up is none.
    ASSERT_OK_AND_ASSIGN(const Magnitudes beyond, MagnitudesOf(ir::FloatTensor(type, {1}, {largest * 1.01})));
    EXPECT_FALSE(beyond.finite);
  }
  EXPECT_FALSE(IsWideFloat(ElementType::kF8E5M2));
  EXPECT_FALSE(IsWideFloat(ElementType::kI32));
}

TEST(ChannelConstantTest, MayScale) {
  const auto of = [](double smallest, double largest) {
    Magnitudes magnitudes;
    magnitudes.smallest_but_zero = smallest;
    magnitudes.largest = largest;
    return magnitudes;
  };
  constexpr ElementType kF16 = ElementType::kF16;
  EXPECT_TRUE(MayScale(kF16, of(1e-5, 100), of(0.1, 600)));
  EXPECT_FALSE(MayScale(kF16, of(1e-5, 100), of(0.1, 700)));
  EXPECT_FALSE(MayScale(kF16, of(1e-5, 0.01), of(0.001, 1)));
  EXPECT_TRUE(MayScale(kF16, Magnitudes(), of(0.001, 1)));
  EXPECT_TRUE(MayDivide(kF16, of(1e-5, 100), of(0.01, 1)));
  EXPECT_FALSE(MayDivide(kF16, of(1e-5, 100), of(0.001, 1)));
  Magnitudes zero = of(1, 1);
  zero.any_zero = true;
  EXPECT_TRUE(MayScale(kF16, of(1, 1), zero));
  EXPECT_FALSE(MayDivide(kF16, of(1, 1), zero));
}

TEST(ChannelConstantTest, FindsTheConstantAmongTwoInputs) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "c" = Constant() {value = f32[2]{1, 2}}
  %2 = Add(%0, %1)
  %3 = Add(%1, %0)
  %4 = Divide(%0, %1)
  %5 = Divide(%1, %0)
  %6 = Add(%1, %1)
  %7 = Add(%0, %0)
})"));
  const auto find = [&model](int32_t id) { return FindConstant(*model, model->node(static_cast<ir::NodeId>(id))); };
  for (const int32_t id : {2, 3, 4}) {
    const std::optional<WithConstant> found = find(id);
    ASSERT_TRUE(found.has_value()) << id;
    EXPECT_EQ(found->node, &model->node(static_cast<ir::NodeId>(id)));
    EXPECT_EQ(found->data.node, static_cast<ir::NodeId>(0));
    EXPECT_EQ(found->value.node, static_cast<ir::NodeId>(1));
    EXPECT_EQ(found->constant->element_count(), 2);
  }
  for (const int32_t id : {5, 6, 7}) EXPECT_FALSE(find(id).has_value()) << id;
}

TEST(ChannelConstantTest, KeepsSize) {
  EXPECT_TRUE(KeepsSize(ir::F32({2, 1}, {1, 2}), ir::F32({1}, {3})));
  EXPECT_TRUE(KeepsSize(ir::F32({0}, {}), ir::F32({0}, {})));
  EXPECT_FALSE(KeepsSize(ir::F32({2, 1}, {1, 2}), ir::F32({2}, {3, 4})));
  EXPECT_FALSE(KeepsSize(ir::F32({2}, {1, 2}), ir::F32({3}, {3, 4, 5})));
}

}  // namespace
}  // namespace burin::transformations

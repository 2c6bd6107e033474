#include "ir/ops/col2im.h"

#include <gtest/gtest.h>

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

TEST(Col2ImTest, AddsWhatOverlaps) {
  // Blocks of 1 x 2 at the two places of an image of 1 x 3: the middle is in both.
  ExpectEvaluates(Col2ImOp(), Col2ImAttributes(), {F32({1, 2, 2}, {1, 2, 10, 20}), I64({2}, {1, 3}), I64({2}, {1, 2})},
                  F32({1, 1, 1, 3}, {1, 12, 20}));
  // Blocks of 2 x 2 at the four places of an image of 3 x 3, all elements 1: how many blocks hold an element.
  ExpectEvaluates(Col2ImOp(), Col2ImAttributes(),
                  {I32({4, 4}, std::vector<int64_t>(16, 1)), I32({2}, {3, 3}), I32({2}, {2, 2})},
                  I32({1, 3, 3}, {1, 2, 1, 2, 4, 2, 1, 2, 1}));
}

TEST(Col2ImTest, ChannelsStridesAndDilations) {
  Col2ImAttributes attributes;
  attributes.window.strides = {1, 3};
  attributes.window.dilations = {1, 2};
  // Blocks at 0 and 3, of elements 2 apart, in an image of 1 x 6; two channels.
  ExpectEvaluates(Col2ImOp(), attributes,
                  {F16({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), I64({2}, {1, 6}), I64({2}, {1, 2})},
                  F16({1, 2, 1, 6}, {1, 0, 3, 2, 0, 4, 5, 0, 7, 6, 0, 8}));
}

TEST(Col2ImTest, PaddingIsDropped) {
  Col2ImAttributes attributes;
  attributes.window.pads_begin = {0, 1};
  attributes.window.pads_end = {0, 1};
  // Blocks of 1 x 2 at -1, 0 and 1 of an image of 1 x 2.
  ExpectEvaluates(Col2ImOp(), attributes, {F32({1, 2, 3}, {1, 2, 3, 10, 20, 30}), I64({2}, {1, 2}), I64({2}, {1, 2})},
                  F32({1, 1, 1, 2}, {12, 23}));
}

TEST(Col2ImTest, ImagesOfAnyRank) {
  ExpectEvaluates(Col2ImOp(), Col2ImAttributes(),
                  {F32({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), I64({1}, {3}), I64({1}, {2})},
                  F32({2, 1, 3}, {1, 5, 4, 5, 13, 8}));
  // One block, which is the image itself.
  ExpectEvaluates(Col2ImOp(), Col2ImAttributes(),
                  {F32({1, 8, 1}, {1, 2, 3, 4, 5, 6, 7, 8}), I64({3}, {2, 2, 2}), I64({3}, {2, 2, 2})},
                  F32({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Col2ImTest, IntegersWrapAndEmptyTensorsStay) {
  ExpectEvaluates(Col2ImOp(), Col2ImAttributes(), {U8({2, 2}, {1, 200, 100, 1}), I64({1}, {3}), I64({1}, {2})},
                  U8({1, 3}, {1, 44, 1}));
  ExpectEvaluates(Col2ImOp(), Col2ImAttributes(), {F32({0, 2, 2}, {}), I64({1}, {3}), I64({1}, {2})},
                  F32({0, 1, 3}, {}));
  ExpectEvaluates(Col2ImOp(), Col2ImAttributes(), {F32({0, 2}, {}), I64({1}, {3}), I64({1}, {2})}, F32({0, 3}, {}));
}

ValueInfo Data(const PartialShape& shape) { return Known(ElementType::kF32, shape); }

TEST(Col2ImTest, InfersAsMuchAsIsKnown) {
  const Dimension n = Dimension::Symbol("n");
  const Dimension h = Dimension::Symbol("h");
  const auto infer = [](const ValueInfo& data, const ValueInfo& image, const ValueInfo& block) {
    return InferOne(Col2ImOp(), Col2ImAttributes(), {data, image, block});
  };
  const ValueInfo unknown = Known(ElementType::kI64, {2});
  ASSERT_OK_AND_ASSIGN(const ValueInfo sizes, infer(Data({n, 12, Dimension()}), Partial({h, 5}), Partial({2, 2})));
  EXPECT_EQ(sizes.shape, PartialShape({n, 3, h, 5}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank, infer(Data({n, 12, Dimension()}), unknown, unknown));
  EXPECT_EQ(rank.shape, PartialShape({n, Dimension(0, 12), Dimension(), Dimension()}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo data,
                       infer(Data(PartialShape::DynamicRank()), Partial({4, 4}), Partial({2, 2})));
  EXPECT_FALSE(data.shape.has_rank());
  const ValueInfo list = Known(ElementType::kI64, {Dimension()});
  ASSERT_OK_AND_ASSIGN(const ValueInfo nothing, infer(Data({n, 12, 4}), list, list));
  EXPECT_FALSE(nothing.shape.has_rank());
  Col2ImAttributes attributes;
  attributes.window.strides = {1, 1, 1};
  ASSERT_OK_AND_ASSIGN(const ValueInfo by_attribute, InferOne(Col2ImOp(), attributes, {Data({n, 12, 4}), list, list}));
  EXPECT_EQ(by_attribute.shape.rank(), 5);
}

void ExpectRefuses(const ValueInfo& data, const std::vector<int64_t>& image, const std::vector<int64_t>& block,
                   const char* label, const Col2ImAttributes& attributes = Col2ImAttributes()) {
  const auto list = [](const std::vector<int64_t>& values) {
    return Constant(I64({static_cast<int64_t>(values.size())}, values));
  };
  ExpectInferFails(Col2ImOp(), attributes, {data, list(image), list(block)}, label);
}

TEST(Col2ImTest, C1_RefusesBooleans) { ExpectRefuses(Known(ElementType::kBoolean, {2, 2}), {3}, {2}, "Col2Im_c1"); }

TEST(Col2ImTest, C2_RefusesOtherRanks) {
  ExpectRefuses(Data({2}), {3}, {2}, "Col2Im_c2");
  ExpectRefuses(Data({1, 1, 2, 2}), {3}, {2}, "Col2Im_c2");
}

TEST(Col2ImTest, C3_RefusesSizes) {
  ExpectRefuses(Data({2, 2}), {3, 3}, {2}, "Col2Im_c3");
  ExpectRefuses(Data({2, 2}), {-3}, {2}, "Col2Im_c3");
  ExpectRefuses(Data({2, 2}), {}, {}, "Col2Im_c3");
  ExpectRefuses(Data({2, 2}), std::vector<int64_t>(65, 3), std::vector<int64_t>(65, 3), "Col2Im_c3");
  ExpectRefuses(Data({2, 2}), std::vector<int64_t>(64, 1), std::vector<int64_t>(64, 1), "Col2Im_c");
}

TEST(Col2ImTest, C4_RefusesAttributes) {
  for (const std::vector<int64_t>& strides : {std::vector<int64_t>{0}, {1, 1}, {INT64_MAX}, {-1}}) {
    Col2ImAttributes attributes;
    attributes.window.strides = strides;
    ExpectRefuses(Data({2, 2}), {3}, {2}, "Col2Im_c4", attributes);
  }
}

TEST(Col2ImTest, C5_RefusesBlocksThatDoNotFit) {
  ExpectRefuses(Data({2, 1}), {1}, {2}, "Col2Im_c5");
  ExpectRefuses(Data({2, 2}), {3}, {0}, "Col2Im_c5");
  ExpectRefuses(Data({2, 2}), {int64_t{1} << 40}, {int64_t{1} << 30}, "Col2Im_c5");
}

TEST(Col2ImTest, C6_RefusesData) {
  ExpectRefuses(Data({3, 2}), {3}, {2}, "Col2Im_c6");
  ExpectRefuses(Data({2, 3}), {3}, {2}, "Col2Im_c6");
  // 2^24 elements along each of three axes: 2^72 rows.
  ExpectRefuses(Data({0, 1}), {1 << 24, 1 << 24, 1 << 24}, {1 << 24, 1 << 24, 1 << 24}, "Col2Im_c6");
}

}  // namespace
}  // namespace burin::ir

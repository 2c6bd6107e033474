#include "ir/ops/deformable_convolution.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/window.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

DeformableConvolutionAttributes Padded(const std::vector<int64_t>& pads_begin, const std::vector<int64_t>& pads_end) {
  DeformableConvolutionAttributes attributes;
  attributes.pads_begin = pads_begin;
  attributes.pads_end = pads_end;
  return attributes;
}

void ExpectConvolves(const DeformableConvolutionAttributes& attributes, const std::vector<Tensor>& inputs,
                     const Tensor& expected, double relative = 0) {
  ExpectEvaluates(DeformableConvolutionOp(), attributes, inputs, expected, relative);
}

// Returns zeros but for some elements.
Tensor Offsets(const Shape& shape, const std::vector<std::pair<Shape, double>>& elements) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  std::vector<double> values(static_cast<size_t>(count), 0);
  for (const auto& [index, value] : elements) {
    int64_t at = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) at = at * shape[axis] + index[axis];
    values[static_cast<size_t>(at)] = value;
  }
  return F32(shape, values);
}

Tensor Image() { return F32({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8}); }
Tensor Ones() { return F32({1, 1, 2, 2}, {1, 1, 1, 1}); }

TEST(DeformableConvolutionTest, MovesTaps) {
  ExpectConvolves({}, {Image(), Offsets({1, 8, 2, 2}, {}), Ones()}, F32({1, 1, 2, 2}, {8, 12, 20, 24}));
  // The first tap is half a row lower: 1.5 for 0. The third is a tenth of a column further left: 3.9 for 4.
  ExpectConvolves({}, {Image(), Offsets({1, 8, 2, 2}, {{{0, 0, 0, 0}, 0.5}, {{0, 5, 0, 1}, -0.1}}), Ones()},
                  F32({1, 1, 2, 2}, {9.5, 11.9, 20, 24}), 1e-6);
}

TEST(DeformableConvolutionTest, ReadsZerosFromThePadding) {
  ExpectConvolves(Padded({1, 1}, {1, 1}),
                  {Image(), Offsets({1, 8, 4, 4}, {{{0, 0, 0, 0}, 0.5}, {{0, 5, 1, 2}, -0.1}}), Ones()},
                  F32({1, 1, 4, 4}, {0, 1, 3, 2, 3, 8, 11.9, 7, 9, 20, 24, 13, 6, 13, 15, 8}), 1e-6);
}

TEST(DeformableConvolutionTest, ScalesByTheMask) {
  ExpectConvolves({}, {F32({1, 1, 2}, {1, 2}), F32({1, 1, 2}, {0, 0}), F32({1, 1, 1}, {3}), F32({1, 1, 2}, {0.5, 2})},
                  F32({1, 1, 2}, {1.5, 12}));
}

TEST(DeformableConvolutionTest, GroupsOfChannelsAndOfOffsets) {
  const Tensor data = F32({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  // The second channel is read from one element further right.
  const Tensor offsets = F32({1, 2, 3}, {0, 0, 0, 1, 1, 1});
  DeformableConvolutionAttributes attributes;
  attributes.deformable_group = 2;
  ExpectConvolves(attributes, {data, offsets, F32({1, 2, 1}, {10, 100})}, F32({1, 1, 3}, {510, 620, 30}));
  attributes.group = 2;
  ExpectConvolves(attributes, {data, offsets, F32({2, 1, 1}, {10, 100})}, F32({1, 2, 3}, {10, 20, 30, 500, 600, 0}));
  attributes.deformable_group = 1;
  ExpectConvolves(attributes, {data, F32({1, 1, 3}, {1, 1, -1}), F32({2, 1, 1}, {10, 100})},
                  F32({1, 2, 3}, {20, 30, 20, 500, 600, 500}));
}

TEST(DeformableConvolutionTest, BatchesHaveTheirOwnOffsets) {
  ExpectConvolves(
      {},
      {F32({2, 1, 2}, {1, 2, 3, 4}), F32({2, 1, 2}, {0, 0, 1, -1}), F32({1, 1, 1}, {1}), F32({2, 1, 2}, {1, 2, 3, 4})},
      F32({2, 1, 2}, {1, 4, 12, 12}));
}

TEST(DeformableConvolutionTest, PlacesNearTheDataAreItsEdgeOrFadeOut) {
  const std::vector<Tensor> inputs = {F32({1, 1, 4}, {2, 4, 6, 8}), F32({1, 1, 4}, {-0.5, -2, 1.25, 1}),
                                      F32({1, 1, 1}, {1})};
  DeformableConvolutionAttributes attributes;
  ExpectConvolves(attributes, inputs, F32({1, 1, 4}, {2, 0, 8, 0}));
  attributes.bilinear_interpolation_pad = true;
  ExpectConvolves(attributes, inputs, F32({1, 1, 4}, {1, 0, 6, 0}));
}

TEST(DeformableConvolutionTest, StridesDilatesAndPads) {
  DeformableConvolutionAttributes attributes = Padded({1}, {1});
  attributes.strides = {2};
  attributes.dilations = {2};
  const Tensor data = F32({1, 1, 5}, {1, 2, 3, 4, 5});
  const Tensor filters = F32({1, 1, 2}, {1, 10});
  ExpectConvolves(attributes, {data, Offsets({1, 2, 3}, {}), filters}, F32({1, 1, 3}, {20, 42, 4}));
  ExpectConvolves(attributes, {data, Offsets({1, 2, 3}, {{{0, 1, 2}, -1}}), filters}, F32({1, 1, 3}, {20, 42, 54}));
  DeformableConvolutionAttributes same;
  same.auto_pad = AutoPad::kSameUpper;
  ExpectConvolves(same, {F32({1, 1, 3}, {1, 2, 3}), Offsets({1, 2, 3}, {}), filters}, F32({1, 1, 3}, {21, 32, 3}));
}

TEST(DeformableConvolutionTest, ReadsFromVolumes) {
  const Tensor volume = F32({1, 1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  // By half along all axes from the first element, by one along each from it, and by halves out of the last.
  ExpectConvolves({},
                  {volume,
                   Offsets({1, 3, 2, 2, 2}, {{{0, 0, 0, 0, 0}, 0.5},
                                             {{0, 1, 0, 0, 0}, 0.5},
                                             {{0, 2, 0, 0, 0}, 0.5},
                                             {{0, 0, 0, 0, 1}, 1},
                                             {{0, 1, 0, 0, 1}, 1},
                                             {{0, 2, 0, 1, 0}, 1}}),
                   F32({1, 1, 1, 1, 1}, {1})},
                  F32({1, 1, 2, 2, 2}, {3.5, 7, 3, 3, 4, 5, 6, 7}));
}

TEST(DeformableConvolutionTest, ComputesInEveryKindOfType) {
  ExpectConvolves({}, {F16({1, 1, 2}, {1, 2}), F16({1, 1, 2}, {0.5, 0}), F16({1, 1, 1}, {2})}, F16({1, 1, 2}, {3, 4}));
  ExpectConvolves({}, {I32({1, 1, 2}, {5, 7}), I32({1, 1, 2}, {1, 0}), I32({1, 1, 1}, {3}), I32({1, 1, 2}, {1, 2})},
                  I32({1, 1, 2}, {21, 42}));
  ExpectConvolves({}, {I64({1, 1, 1}, {INT64_MAX}), I64({1, 1, 1}, {0}), I64({1, 1, 1}, {2})}, I64({1, 1, 1}, {-2}));
}

TEST(DeformableConvolutionTest, StandsAnyOffset) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ExpectConvolves({},
                  {F32({1, 1, 4}, {1, 2, 3, 4}), F32({1, 1, 4}, {infinity, nan, -infinity, 3e38}), F32({1, 1, 1}, {1})},
                  F32({1, 1, 4}, {0, 0, 0, 0}));
}

TEST(DeformableConvolutionTest, HandlesEmptyTensors) {
  ExpectConvolves({}, {F32({0, 1, 2}, {}), F32({0, 1, 2}, {}), F32({1, 1, 1}, {1})}, F32({0, 1, 2}, {}));
  ExpectConvolves({}, {F32({1, 0, 2}, {}), F32({1, 1, 2}, {0, 0}), F32({1, 0, 1}, {})}, F32({1, 1, 2}, {0, 0}));
  ExpectConvolves(Padded({1}, {0}), {F32({1, 1, 0}, {}), F32({1, 1, 1}, {0.5}), F32({1, 1, 1}, {1})},
                  F32({1, 1, 1}, {0}));
}

TEST(DeformableConvolutionTest, InfersWhateverIsKnown) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension height = Dimension::Symbol("height");
  const ValueInfo unknown = Known(ElementType::kF32, PartialShape::DynamicRank());
  const ValueInfo filters = Known(ElementType::kF32, {8, 3, 3, 3});
  const DeformableConvolutionAttributes attributes = Padded({1, 1}, {1, 1});
  const auto inferred = [&](const std::vector<ValueInfo>& inputs) {
    const absl::StatusOr<ValueInfo> info = InferOne(DeformableConvolutionOp(), attributes, inputs);
    EXPECT_OK(info);
    return info.ok() ? info->shape : PartialShape();
  };
  EXPECT_EQ(inferred({Known(ElementType::kF32, {batch, 3, height, 20}), unknown, filters}),
            PartialShape({batch, 8, height, 20}));
  // Offsets tell what the data does not.
  EXPECT_EQ(inferred({Known(ElementType::kF32, {batch, 3, Dimension(), Dimension()}),
                      Known(ElementType::kF32, {2, 18, 5, Dimension()}), filters,
                      Known(ElementType::kF32, {Dimension(), 9, Dimension(), 7})}),
            PartialShape({2, 8, 5, 7}));
  EXPECT_EQ(inferred({unknown, unknown, unknown}).rank(), 4);  // By the attributes.
  ASSERT_OK_AND_ASSIGN(const ValueInfo nothing, InferOne(DeformableConvolutionOp(), DeformableConvolutionAttributes(),
                                                         {unknown, unknown, unknown}));
  EXPECT_FALSE(nothing.shape.has_rank());
}

// Infers with a data of [1, 4, 5, 5], filters of [2, 4, 3, 3] and what belongs to them, but for what is given.
struct Case {
  DeformableConvolutionAttributes attributes;
  PartialShape data = {1, 4, 5, 5};
  PartialShape offsets = {1, 18, 3, 3};
  PartialShape filters = {2, 4, 3, 3};
  PartialShape mask = {1, 9, 3, 3};
  ElementType type = ElementType::kF32;
  ElementType mask_type = ElementType::kF32;

  std::vector<ValueInfo> Inputs() const {
    return {Known(type, data), Known(type, offsets), Known(type, filters), Known(mask_type, mask)};
  }
};

void ExpectRefused(const Case& c, const char* label) {
  ExpectInferFails(DeformableConvolutionOp(), c.attributes, c.Inputs(), label);
}

TEST(DeformableConvolutionTest, AcceptsTheCaseThatIsVariedBelow) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(DeformableConvolutionOp(), DeformableConvolutionAttributes(), Case().Inputs()));
  EXPECT_EQ(info.shape, PartialShape({1, 2, 3, 3}));
}

TEST(DeformableConvolutionTest, RefusesWhatBreaksConstraints) {
  Case c;
  c.mask_type = ElementType::kF16;
  ExpectRefused(c, "DeformableConvolution_c1");
  c.type = c.mask_type = ElementType::kBoolean;
  ExpectRefused(c, "DeformableConvolution_c1");
  c = {};
  c.mask = {1, 9, 3};
  ExpectRefused(c, "DeformableConvolution_c2");
  c = {};
  c.data = c.offsets = c.filters = c.mask = {1, 4};
  ExpectRefused(c, "DeformableConvolution_c2");
  c = {};
  c.attributes.strides = {0, 1};
  ExpectRefused(c, "DeformableConvolution_c3");
  c = {};
  c.attributes.dilations = {1};
  ExpectRefused(c, "DeformableConvolution_c3");
  c = {};
  c.data = {1, 4, 2, 2};
  ExpectRefused(c, "DeformableConvolution_c5");
}

TEST(DeformableConvolutionTest, C3_RefusesAttributesForTooManyAxes) {
  const ValueInfo unknown = Known(ElementType::kF32, PartialShape::DynamicRank());
  DeformableConvolutionAttributes attributes;
  attributes.strides = {1, 1, 1, 1};
  ExpectInferFails(DeformableConvolutionOp(), attributes, {unknown, unknown, unknown}, "DeformableConvolution_c3");
}

TEST(DeformableConvolutionTest, C4_RefusesChannelsAndGroups) {
  for (int64_t groups : {int64_t{0}, int64_t{-1}, INT64_MAX}) {
    Case c;
    c.attributes.group = groups;
    ExpectRefused(c, "DeformableConvolution_c4");
    c = {};
    c.attributes.deformable_group = groups;
    ExpectRefused(c, "DeformableConvolution_c4");
  }
  Case c;
  c.filters = {2, 3, 3, 3};
  ExpectRefused(c, "DeformableConvolution_c4");
  c = {};
  c.attributes.deformable_group = 3;
  ExpectRefused(c, "DeformableConvolution_c4");
  c = {};
  c.attributes.group = 2;
  c.filters = {3, 2, 3, 3};
  ExpectRefused(c, "DeformableConvolution_c4");
}

TEST(DeformableConvolutionTest, C6_RefusesOffsetsAndMasksOfOtherSizes) {
  for (const PartialShape& offsets :
       {PartialShape({2, 18, 3, 3}), PartialShape({1, 9, 3, 3}), PartialShape({1, 18, 3, 4})}) {
    Case c;
    c.offsets = offsets;
    ExpectRefused(c, "DeformableConvolution_c6");
  }
  for (const PartialShape& mask :
       {PartialShape({2, 9, 3, 3}), PartialShape({1, 18, 3, 3}), PartialShape({1, 9, 4, 3})}) {
    Case c;
    c.mask = mask;
    ExpectRefused(c, "DeformableConvolution_c6");
  }
}

TEST(DeformableConvolutionTest, CostsSamplesAndProducts) {
  const std::vector<ValueInfo> values = Case().Inputs();
  const ValueInfo* const inputs[] = {&values[0], &values[1], &values[2], &values[3]};
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, {1, 2, 3, 3})};
  const DeformableConvolutionAttributes attributes;
  // Nine places, each with 2 * 4 * 9 products and 4 * 9 samples of 4 elements.
  EXPECT_EQ(CostOf(DeformableConvolutionOp(), CostContext(attributes, inputs, outputs)).flops,
            9 * (2 * 72 + 36 * 2 * 4));
}

}  // namespace
}  // namespace burin::ir

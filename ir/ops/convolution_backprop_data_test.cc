#include "ir/ops/convolution_backprop_data.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/convolution.h"
#include "ir/ops/family/window.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

ConvolutionBackpropDataAttributes Attributes(std::vector<int64_t> strides, std::vector<int64_t> pads_begin,
                                             std::vector<int64_t> pads_end, std::vector<int64_t> dilations = {}) {
  ConvolutionBackpropDataAttributes attributes;
  attributes.strides = std::move(strides);
  attributes.pads_begin = std::move(pads_begin);
  attributes.pads_end = std::move(pads_end);
  attributes.dilations = std::move(dilations);
  return attributes;
}

Tensor Transposed(const ConvolutionBackpropDataAttributes& attributes, const Tensor& data, const Tensor& filters,
                  const Tensor& output_shape = Tensor()) {
  std::vector<Tensor> inputs = {data, filters};
  if (output_shape.has_value()) inputs.push_back(output_shape);
  const absl::StatusOr<Tensor> result = Evaluate(ConvolutionBackpropDataOp(), attributes, inputs);
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

// The examples of ONNX's ConvTranspose: a 3x3 image 0..8 and two 3x3 filters of ones.
TEST(ConvolutionBackpropDataTest, SpreadsElements) {
  const Tensor image = F32({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor ones = F32({1, 2, 3, 3}, std::vector<double>(18, 1));
  const std::vector<double> plane = {0,  1,  3, 3,  2,  3,  8,  15, 12, 7,  9,  21, 36,
                                     27, 15, 9, 20, 33, 24, 13, 6,  13, 21, 15, 8};
  std::vector<double> both = plane;
  both.insert(both.end(), plane.begin(), plane.end());
  ExpectTensorEq(Transposed(Attributes({1, 1}, {0, 0}, {0, 0}), image, ones), F32({1, 2, 5, 5}, both));
  // Padding cuts the border away.
  ExpectTensorEq(Transposed(Attributes({1, 1}, {1, 1}, {1, 1}), image, F32({1, 1, 3, 3}, std::vector<double>(9, 1))),
                 F32({1, 1, 3, 3}, {8, 15, 12, 21, 36, 27, 20, 33, 24}));
}

TEST(ConvolutionBackpropDataTest, SpreadsIn1DWithStridePaddingAndDilation) {
  const Tensor row = F32({1, 1, 3}, {1, 2, 3});
  const Tensor filter = F32({1, 1, 2}, {1, 10});
  ExpectTensorEq(Transposed(Attributes({2}, {0}, {0}), row, filter), F32({1, 1, 6}, {1, 10, 2, 20, 3, 30}));
  ExpectTensorEq(Transposed(Attributes({3}, {0}, {0}), row, filter), F32({1, 1, 8}, {1, 10, 0, 2, 20, 0, 3, 30}));
  ExpectTensorEq(Transposed(Attributes({1}, {0}, {0}, {2}), row, filter), F32({1, 1, 5}, {1, 2, 13, 20, 30}));
  ExpectTensorEq(Transposed(Attributes({2}, {1}, {2}), row, filter), F32({1, 1, 3}, {10, 2, 20}));
  ConvolutionBackpropDataAttributes padded = Attributes({2}, {0}, {0});
  padded.output_padding = {1};
  ExpectTensorEq(Transposed(padded, row, filter), F32({1, 1, 7}, {1, 10, 2, 20, 3, 30, 0}));
}

TEST(ConvolutionBackpropDataTest, SumsOverInputChannels) {
  ExpectTensorEq(Transposed({}, F32({1, 2, 1}, {1, 2}), F32({2, 3, 1}, {1, 2, 3, 10, 20, 30})),
                 F32({1, 3, 1}, {21, 42, 63}));
}

TEST(ConvolutionBackpropDataTest, PadsForTheOutputShapeAskedFor) {
  const Tensor row = F32({1, 1, 3}, {1, 2, 3});
  const Tensor filter = F32({1, 1, 2}, {1, 10});
  ConvolutionBackpropDataAttributes attributes = Attributes({2}, {}, {});
  // 6 elements without padding; one of padding goes to the end, or with same_upper to the beginning.
  ExpectTensorEq(Transposed(attributes, row, filter, I64({1}, {5})), F32({1, 1, 5}, {1, 10, 2, 20, 3}));
  attributes.auto_pad = AutoPad::kSameUpper;
  ExpectTensorEq(Transposed(attributes, row, filter, I32({1}, {5})), F32({1, 1, 5}, {10, 2, 20, 3, 30}));
  ExpectTensorEq(Transposed(attributes, row, filter, I32({1}, {4})), F32({1, 1, 4}, {10, 2, 20, 3}));
  ExpectTensorEq(Transposed(attributes, row, filter, I64({1}, {8})), F32({1, 1, 8}, {1, 10, 2, 20, 3, 30, 0, 0}));
}

TEST(ConvolutionBackpropDataTest, WrapsIntegers) {
  ExpectTensorEq(Transposed({}, I8({1, 1, 2}, {100, 100}), I8({1, 1, 2}, {1, 1})), I8({1, 1, 3}, {100, -56, 100}));
}

TEST(ConvolutionBackpropDataTest, HandlesEmptyTensors) {
  ExpectTensorEq(Transposed({}, F32({0, 1, 2}, {}), F32({1, 1, 2}, {1, 1})), F32({0, 1, 3}, {}));
}

// <conv(x), y> = <x, conv_transposed(y)>: the definition of the transpose.
TEST(ConvolutionBackpropDataTest, IsTheTransposeOfConvolution) {
  const uint32_t seed = 11;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](int64_t min, int64_t max) { return std::uniform_int_distribution<int64_t>(min, max)(random); };
  const auto values = [&](int64_t count) {
    std::vector<double> result;
    for (int64_t i = 0; i < count; ++i) result.push_back(static_cast<double>(draw(-9, 9)));
    return result;
  };
  for (int trial = 0; trial < 50; ++trial) {
    const int64_t kernel = draw(1, 3), stride = draw(1, 3), dilation = draw(1, 2), pad = draw(0, 1), small = draw(3, 6);
    const int64_t channels = draw(1, 3), filters = draw(1, 3);
    // The one size of x for which the transpose gives x's size back without output padding.
    const int64_t size = (small - 1) * stride + (kernel - 1) * dilation + 1 - 2 * pad;
    if (size < 1) continue;
    const Tensor x = F32({1, channels, size, size}, values(channels * size * size));
    const Tensor y = F32({1, filters, small, small}, values(filters * small * small));
    const Tensor w = F32({filters, channels, kernel, kernel}, values(filters * channels * kernel * kernel));
    ConvolutionAttributes forward;
    forward.strides = {stride, stride};
    forward.pads_begin = forward.pads_end = {pad, pad};
    forward.dilations = {dilation, dilation};
    ASSERT_OK_AND_ASSIGN(const Tensor conv, Evaluate(ConvolutionOp(), forward, {x, w}));
    const Tensor back = Transposed(Attributes({stride, stride}, {pad, pad}, {pad, pad}, {dilation, dilation}), y, w);
    const auto dot = [](const Tensor& a, const Tensor& b) {
      EXPECT_EQ(a.shape(), b.shape());
      double sum = 0;
      for (size_t i = 0; i < Doubles(a).size(); ++i) sum += Doubles(a)[i] * Doubles(b)[i];
      return sum;
    };
    EXPECT_EQ(dot(conv, y), dot(x, back));
  }
}

TEST(ConvolutionBackpropDataTest, InfersSizesOfTheSpecification) {
  ConvolutionBackpropDataAttributes attributes = Attributes({2, 2}, {1, 1}, {1, 1});
  absl::StatusOr<ValueInfo> result = InferOne(ConvolutionBackpropDataOp(), attributes,
                                              {Known(ElementType::kF32, PartialShape({1, 20, 224, 224})),
                                               Known(ElementType::kF32, PartialShape({20, 10, 3, 3}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({1, 10, 447, 447}));
  attributes = Attributes({3, 3}, {0, 0}, {0, 0});
  attributes.output_padding = {2, 2};
  result = InferOne(
      ConvolutionBackpropDataOp(), attributes,
      {Known(ElementType::kF32, PartialShape({1, 20, 2, 2})), Known(ElementType::kF32, PartialShape({20, 10, 3, 3}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({1, 10, 8, 8}));
}

TEST(ConvolutionBackpropDataTest, InfersSymbolsAndOutputShapes) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension length = Dimension::Symbol("length");
  const ValueInfo data = Known(ElementType::kF32, {batch, 4, length});
  const ValueInfo filters = Known(ElementType::kF32, PartialShape({4, 6, 3}));
  absl::StatusOr<ValueInfo> result = InferOne(ConvolutionBackpropDataOp(), Attributes({1}, {1}, {1}), {data, filters});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 6, length}));
  result = InferOne(ConvolutionBackpropDataOp(), Attributes({2}, {}, {}), {data, filters, Partial({length})});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 6, length}));
  result = InferOne(ConvolutionBackpropDataOp(), Attributes({2}, {}, {}),
                    {data, filters, Known(ElementType::kI64, PartialShape({1}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape.rank(), 3);
}

absl::Status ErrorOf(const ConvolutionBackpropDataAttributes& attributes, const std::vector<Tensor>& inputs) {
  return Evaluate(ConvolutionBackpropDataOp(), attributes, inputs).status();
}

TEST(ConvolutionBackpropDataTest, C4_RefusesChannels) {
  EXPECT_THAT(ErrorOf({}, {F32({1, 2, 1}, {1, 2}), F32({1, 1, 1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ConvolutionBackpropData_c4")));
}

TEST(ConvolutionBackpropDataTest, C5_RefusesAnOutputWithoutElements) {
  EXPECT_THAT(ErrorOf(Attributes({1}, {1}, {1}), {F32({1, 1, 2}, {1, 2}), F32({1, 1, 1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ConvolutionBackpropData_c5")));
}

TEST(ConvolutionBackpropDataTest, C6_RefusesOutputShapes) {
  const Tensor data = F32({1, 1, 2}, {1, 2});
  const Tensor filters = F32({1, 1, 1}, {1});
  for (const Tensor& shape : {I64({2}, {2, 2}), I64({1}, {-1}), F32({1}, {2})}) {
    EXPECT_THAT(ErrorOf({}, {data, filters, shape}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ConvolutionBackpropData_c6")));
  }
}

TEST(ConvolutionBackpropDataTest, C7_RefusesOutputPadding) {
  ConvolutionBackpropDataAttributes attributes;
  for (const std::vector<int64_t>& padding : {std::vector<int64_t>{1, 1}, std::vector<int64_t>{-1}}) {
    attributes.output_padding = padding;
    EXPECT_THAT(ErrorOf(attributes, {F32({1, 1, 2}, {1, 2}), F32({1, 1, 1}, {1})}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ConvolutionBackpropData_c7")));
  }
}

}  // namespace
}  // namespace burin::ir

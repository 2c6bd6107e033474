#include "ir/ops/convolution.h"

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
#include "ir/op_def.h"
#include "ir/ops/family/window.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

ConvolutionAttributes Attributes(std::vector<int64_t> strides, std::vector<int64_t> pads_begin,
                                 std::vector<int64_t> pads_end, std::vector<int64_t> dilations = {},
                                 AutoPad auto_pad = AutoPad::kExplicit) {
  ConvolutionAttributes attributes;
  attributes.strides = std::move(strides);
  attributes.pads_begin = std::move(pads_begin);
  attributes.pads_end = std::move(pads_end);
  attributes.dilations = std::move(dilations);
  attributes.auto_pad = auto_pad;
  return attributes;
}

Tensor Convolved(const ConvolutionAttributes& attributes, const Tensor& data, const Tensor& filters) {
  const absl::StatusOr<Tensor> result = Evaluate(ConvolutionOp(), attributes, {data, filters});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

std::vector<double> Iota(int64_t count) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return values;
}

// The examples of ONNX's Conv: a 5x5 image 0..24 under a 3x3 filter of ones.
TEST(ConvolutionTest, SumsNeighbours) {
  const Tensor image = F32({1, 1, 5, 5}, Iota(25));
  const Tensor ones = F32({1, 1, 3, 3}, std::vector<double>(9, 1));
  ExpectTensorEq(Convolved(Attributes({1, 1}, {1, 1}, {1, 1}), image, ones),
                 F32({1, 1, 5, 5}, {12,  21, 27, 33,  24,  33,  54,  63, 72,  51,  63,  99, 108,
                                    117, 81, 93, 144, 153, 162, 111, 72, 111, 117, 123, 84}));
  ExpectTensorEq(Convolved(Attributes({1, 1}, {0, 0}, {0, 0}), image, ones),
                 F32({1, 1, 3, 3}, {54, 63, 72, 99, 108, 117, 144, 153, 162}));
}

TEST(ConvolutionTest, StridesAndPads) {
  const Tensor image = F32({1, 1, 7, 5}, Iota(35));
  const Tensor ones = F32({1, 1, 3, 3}, std::vector<double>(9, 1));
  ExpectTensorEq(Convolved(Attributes({2, 2}, {1, 1}, {1, 1}), image, ones),
                 F32({1, 1, 4, 3}, {12, 27, 24, 63, 108, 81, 123, 198, 141, 112, 177, 124}));
  ExpectTensorEq(Convolved(Attributes({2, 2}, {0, 0}, {0, 0}), image, ones),
                 F32({1, 1, 3, 2}, {54, 72, 144, 162, 234, 252}));
  // Rows padded only.
  ExpectTensorEq(Convolved(Attributes({2, 2}, {1, 0}, {1, 0}), image, ones),
                 F32({1, 1, 4, 2}, {21, 33, 99, 117, 189, 207, 171, 183}));
  // ONNX's auto_pad example: same_lower on 5x5 with stride 2.
  ExpectTensorEq(Convolved(Attributes({2, 2}, {}, {}, {}, AutoPad::kSameLower), F32({1, 1, 5, 5}, Iota(25)), ones),
                 F32({1, 1, 3, 3}, {12, 27, 24, 63, 108, 81, 72, 117, 84}));
}

TEST(ConvolutionTest, SamePaddingPutsTheOddElementWhereAsked) {
  const Tensor row = F32({1, 1, 3}, {1, 2, 3});
  const Tensor filter = F32({1, 1, 2}, {1, 10});
  ExpectTensorEq(Convolved(Attributes({}, {}, {}, {}, AutoPad::kSameUpper), row, filter), F32({1, 1, 3}, {21, 32, 3}));
  ExpectTensorEq(Convolved(Attributes({}, {}, {}, {}, AutoPad::kSameLower), row, filter), F32({1, 1, 3}, {10, 21, 32}));
  ExpectTensorEq(Convolved(Attributes({}, {5}, {5}, {}, AutoPad::kValid), row, filter), F32({1, 1, 2}, {21, 32}));
}

TEST(ConvolutionTest, SumsOverChannelsIn1D2DAnd3D) {
  ExpectTensorEq(
      Convolved(Attributes({}, {}, {}), F32({1, 2, 3}, {1, 2, 3, 4, 5, 6}), F32({2, 2, 1}, {1, 10, 100, 1000})),
      F32({1, 2, 3}, {41, 52, 63, 4100, 5200, 6300}));
  ExpectTensorEq(Convolved(Attributes({}, {}, {}, {2}), F32({1, 1, 5}, {1, 2, 3, 4, 5}), F32({1, 1, 2}, {1, 10})),
                 F32({1, 1, 3}, {31, 42, 53}));
  ExpectTensorEq(
      Convolved(Attributes({}, {}, {}), F32({1, 1, 2, 2, 2}, Iota(8)), F32({1, 1, 2, 2, 2}, std::vector<double>(8, 1))),
      F32({1, 1, 1, 1, 1}, {28}));
}

TEST(ConvolutionTest, ComputesInEveryKindOfType) {
  ExpectTensorEq(Convolved(Attributes({}, {}, {}), I8({1, 1, 2}, {100, 100}), I8({1, 1, 2}, {1, 1})),
                 I8({1, 1, 1}, {-56}));
  ExpectTensorEq(Convolved(Attributes({}, {}, {}), F16({1, 1, 3}, {2048, 1, 1}), F16({1, 1, 3}, {1, 1, 1})),
                 F16({1, 1, 1}, {2050}));
  ExpectTensorEq(Convolved(Attributes({}, {}, {}), I64({1, 1, 1}, {INT64_MAX}), I64({1, 1, 1}, {2})),
                 I64({1, 1, 1}, {-2}));
}

TEST(ConvolutionTest, HandlesEmptyTensors) {
  ExpectTensorEq(Convolved(Attributes({}, {}, {}), F32({0, 1, 3}, {}), F32({1, 1, 2}, {1, 1})), F32({0, 1, 2}, {}));
  ExpectTensorEq(Convolved(Attributes({}, {}, {}), F32({1, 0, 3}, {}), F32({1, 0, 2}, {})), F32({1, 1, 2}, {0, 0}));
}

// Agrees with the sum of the definition, term by term.
TEST(ConvolutionTest, AgreesWithTheDefinitionOnRandomGeometries) {
  const uint32_t seed = 7;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](int64_t min, int64_t max) { return std::uniform_int_distribution<int64_t>(min, max)(random); };
  for (int trial = 0; trial < 100; ++trial) {
    const int64_t n = draw(1, 2), ic = draw(1, 3), oc = draw(1, 3), h = draw(3, 8), w = draw(3, 8);
    const int64_t kh = draw(1, 3), kw = draw(1, 3), sh = draw(1, 3), sw = draw(1, 3), dh = draw(1, 2), dw = draw(1, 2);
    const int64_t pt = draw(1, 2), pb = draw(1, 2), pl = draw(1, 2), pr = draw(1, 2);
    std::vector<double> x(static_cast<size_t>(n * ic * h * w)), f(static_cast<size_t>(oc * ic * kh * kw));
    for (double& value : x) value = static_cast<double>(draw(-9, 9));
    for (double& value : f) value = static_cast<double>(draw(-9, 9));
    const int64_t oh = (h + pt + pb - (kh - 1) * dh - 1) / sh + 1, ow = (w + pl + pr - (kw - 1) * dw - 1) / sw + 1;
    std::vector<double> expected;
    for (int64_t b = 0; b < n; ++b) {
      for (int64_t o = 0; o < oc; ++o) {
        for (int64_t p = 0; p < oh * ow; ++p) {
          double sum = 0;
          for (int64_t t = 0; t < ic * kh * kw; ++t) {
            const int64_t c = t / (kh * kw);
            const int64_t y = p / ow * sh - pt + t / kw % kh * dh;
            const int64_t z = p % ow * sw - pl + t % kw * dw;
            if (y < 0 || y >= h || z < 0 || z >= w) continue;
            sum +=
                x[static_cast<size_t>(((b * ic + c) * h + y) * w + z)] * f[static_cast<size_t>(o * ic * kh * kw + t)];
          }
          expected.push_back(sum);
        }
      }
    }
    ExpectTensorEq(
        Convolved(Attributes({sh, sw}, {pt, pl}, {pb, pr}, {dh, dw}), F32({n, ic, h, w}, x), F32({oc, ic, kh, kw}, f)),
        F32({n, oc, oh, ow}, expected));
  }
}

TEST(ConvolutionTest, InfersSymbolsAndUnknownRanks) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension height = Dimension::Symbol("height");
  const ValueInfo filters = Known(ElementType::kF32, PartialShape({8, 3, 3, 3}));
  const absl::StatusOr<ValueInfo> same = InferOne(ConvolutionOp(), Attributes({1, 1}, {1, 1}, {1, 1}),
                                                  {Known(ElementType::kF32, {batch, 3, height, 20}), filters});
  ASSERT_OK(same);
  EXPECT_EQ(same->shape, PartialShape({batch, 8, height, 20}));
  const absl::StatusOr<ValueInfo> unknown_data = InferOne(
      ConvolutionOp(), Attributes({2, 2}, {}, {}), {Known(ElementType::kF32, PartialShape::DynamicRank()), filters});
  ASSERT_OK(unknown_data);
  EXPECT_EQ(unknown_data->shape,
            PartialShape({Dimension(), 8, Dimension(1, Dimension::kInfinite), Dimension(1, Dimension::kInfinite)}));
  const ValueInfo nothing = Known(ElementType::kF32, PartialShape::DynamicRank());
  const absl::StatusOr<ValueInfo> all_unknown = InferOne(ConvolutionOp(), ConvolutionAttributes(), {nothing, nothing});
  ASSERT_OK(all_unknown);
  EXPECT_FALSE(all_unknown->shape.has_rank());
  const absl::StatusOr<ValueInfo> by_strides = InferOne(ConvolutionOp(), Attributes({1}, {}, {}), {nothing, nothing});
  ASSERT_OK(by_strides);
  EXPECT_EQ(by_strides->shape.rank(), 3);
}

absl::Status ErrorOf(const ConvolutionAttributes& attributes, const Tensor& data, const Tensor& filters) {
  return Evaluate(ConvolutionOp(), attributes, {data, filters}).status();
}

TEST(ConvolutionTest, C1_RefusesTypes) {
  const Tensor data = F32({1, 1, 2}, {1, 2});
  EXPECT_THAT(ErrorOf({}, data, F16({1, 1, 1}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c1")));
  EXPECT_THAT(ErrorOf({}, Bool({1, 1, 2}, {1, 1}), Bool({1, 1, 1}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c1")));
}

TEST(ConvolutionTest, C2_RefusesRanks) {
  EXPECT_THAT(ErrorOf({}, F32({1, 1}, {1}), F32({1, 1, 1}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c2")));
  EXPECT_THAT(ErrorOf({}, F32({1, 1, 1}, {1}), F32({1, 1, 1, 1}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c2")));
}

TEST(ConvolutionTest, C3_RefusesAttributes) {
  const Tensor data = F32({1, 1, 2}, {1, 2});
  const Tensor filters = F32({1, 1, 1}, {1});
  for (const ConvolutionAttributes& bad :
       {Attributes({1, 1}, {}, {}), Attributes({0}, {}, {}), Attributes({}, {-1}, {}), Attributes({}, {}, {}, {-2}),
        Attributes({}, {INT64_MAX}, {})}) {
    EXPECT_THAT(ErrorOf(bad, data, filters), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c3")));
  }
}

TEST(ConvolutionTest, C4_RefusesChannels) {
  EXPECT_THAT(ErrorOf({}, F32({1, 2, 1}, {1, 2}), F32({1, 1, 1}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c4")));
}

TEST(ConvolutionTest, C5_RefusesAWindowThatDoesNotFit) {
  EXPECT_THAT(ErrorOf({}, F32({1, 1, 2}, {1, 2}), F32({1, 1, 3}, {1, 1, 1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c5")));
  EXPECT_THAT(ErrorOf({}, F32({1, 1, 2}, {1, 2}), F32({1, 1, 0}, {})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Convolution_c5")));
}

TEST(ConvolutionTest, CostsTwoFlopsPerTap) {
  const ValueInfo data = Known(ElementType::kF32, PartialShape({2, 3, 8}));
  const ValueInfo filters = Known(ElementType::kF32, PartialShape({4, 3, 3}));
  const ValueInfo* const inputs[] = {&data, &filters};
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, PartialShape({2, 4, 6}))};
  const ConvolutionAttributes attributes;
  EXPECT_EQ(CostOf(ConvolutionOp(), CostContext(attributes, inputs, outputs)).flops, 2.0 * (2 * 4 * 6) * (3 * 3));
}

}  // namespace
}  // namespace burin::ir

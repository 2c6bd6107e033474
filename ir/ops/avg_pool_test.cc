#include "ir/ops/avg_pool.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/window.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

AvgPoolAttributes Attributes(std::vector<int64_t> kernel, std::vector<int64_t> strides, std::vector<int64_t> pads = {},
                             RoundingType rounding = RoundingType::kFloor) {
  AvgPoolAttributes attributes;
  attributes.kernel = std::move(kernel);
  attributes.strides = std::move(strides);
  attributes.pads_begin = pads;
  attributes.pads_end = std::move(pads);
  attributes.rounding_type = rounding;
  return attributes;
}

Tensor Pooled(const AvgPoolAttributes& attributes, const Tensor& data) {
  const absl::StatusOr<Tensor> result = Evaluate(AvgPoolOp(), attributes, {data});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

Tensor Counting() {
  return F32({1, 1, 5, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25});
}

// The precomputed examples of ONNX's AveragePool.
TEST(AvgPoolTest, ExcludesPaddingWhereAsked) {
  AvgPoolAttributes attributes = Attributes({5, 5}, {1, 1}, {2, 2});
  attributes.exclude_pad = true;
  ExpectTensorEq(Pooled(attributes, Counting()),
                 F32({1, 1, 5, 5}, {7,    7.5, 8,    8.5, 9,    9.5, 10,   10.5, 11,   11.5, 12,   12.5, 13,
                                    13.5, 14,  14.5, 15,  15.5, 16,  16.5, 17,   17.5, 18,   18.5, 19}));
  attributes.exclude_pad = false;
  ExpectTensorNear(Pooled(attributes, Counting()),
                   F32({1, 1, 5, 5}, {2.5200,  3.6000, 4.8000,  4.0800,  3.2400,  4.5600, 6.4000, 8.4000, 7.0400,
                                      5.5200,  7.2000, 10.0000, 13.0000, 10.8000, 8.4000, 6.9600, 9.6000, 12.4000,
                                      10.2400, 7.9200, 6.1200,  8.4000,  10.8000, 8.8800, 6.8400}),
                   1e-6);
}

TEST(AvgPoolTest, PadsToTheSameSize) {
  AvgPoolAttributes attributes = Attributes({3, 3}, {2, 2});
  attributes.auto_pad = AutoPad::kSameUpper;
  attributes.exclude_pad = true;
  ExpectTensorEq(Pooled(attributes, Counting()), F32({1, 1, 3, 3}, {4, 5.5, 7, 11.5, 13, 14.5, 19, 20.5, 22}));
}

TEST(AvgPoolTest, Strides) {
  ExpectTensorEq(Pooled(Attributes({2, 2}, {2, 2}), Counting()), F32({1, 1, 2, 2}, {4, 6, 14, 16}));
}

TEST(AvgPoolTest, ARoundedUpWindowCountsOnlyTapsInThePaddedData) {
  // Windows of 3 at 0, 2 and 4 of 6 elements: the last has 2 taps inside.
  const Tensor row = F32({1, 1, 6}, {1, 2, 3, 4, 5, 7});
  ExpectTensorEq(Pooled(Attributes({3}, {2}, {}, RoundingType::kCeil), row), F32({1, 1, 3}, {2, 4, 6}));
  // With padding of 1 at each end: windows at -1, 1, 3 and 5; the last has one element and one of padding.
  ExpectTensorEq(Pooled(Attributes({3}, {2}, {1}, RoundingType::kCeil), row), F32({1, 1, 4}, {1, 3, 16.0 / 3, 3.5}));
  AvgPoolAttributes excluding = Attributes({3}, {2}, {1}, RoundingType::kCeil);
  excluding.exclude_pad = true;
  ExpectTensorEq(Pooled(excluding, row), F32({1, 1, 4}, {1.5, 3, 16.0 / 3, 7}));
}

TEST(AvgPoolTest, Dilates) {
  AvgPoolAttributes attributes = Attributes({2, 2}, {1, 1});
  attributes.dilations = {2, 2};
  // The example of ONNX: 4x4 0..15 becomes 2x2 of means two rows and columns apart.
  ExpectTensorEq(Pooled(attributes, F32({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})),
                 F32({1, 1, 2, 2}, {6, 7, 10, 11}));
}

TEST(AvgPoolTest, PoolsIn1DAnd3DAndEveryKindOfType) {
  ExpectTensorEq(Pooled(Attributes({2}, {1}), F16({1, 2, 3}, {1, 2, 3, 4, 5, 6})),
                 F16({1, 2, 2}, {1.5, 2.5, 4.5, 5.5}));
  ExpectTensorEq(Pooled(Attributes({2, 2, 2}, {1, 1, 1}), F32({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})),
                 F32({1, 1, 1, 1, 1}, {4.5}));
  ExpectTensorEq(Pooled(Attributes({2}, {1}), I32({1, 1, 3}, {-1, -2, 5})), I32({1, 1, 2}, {-1, 1}));
  ExpectTensorEq(Pooled(Attributes({1}, {1}), IntTensor(ElementType::kU64, {1, 1, 1}, {INT64_MIN})),
                 IntTensor(ElementType::kU64, {1, 1, 1}, {INT64_MIN}));
}

TEST(AvgPoolTest, AWindowOfPaddingAloneGivesZero) {
  AvgPoolAttributes attributes = Attributes({2}, {2}, {2});
  attributes.exclude_pad = true;
  ExpectTensorEq(Pooled(attributes, F32({1, 1, 2}, {3, 4})), F32({1, 1, 3}, {0, 3.5, 0}));
}

TEST(AvgPoolTest, InfersSymbolsAndTheSpecificationsSizes) {
  const Dimension batch = Dimension::Symbol("batch");
  const absl::StatusOr<ValueInfo> symbols =
      InferOne(AvgPoolOp(), Attributes({2}, {2}), {Known(ElementType::kF32, {batch, 4, Dimension(10, 21)})});
  ASSERT_OK(symbols);
  EXPECT_EQ(symbols->shape, PartialShape({batch, 4, Dimension(5, 10)}));
  AvgPoolAttributes dilated = Attributes({5, 5}, {2, 2}, {1, 1});
  dilated.dilations = {2, 2};
  const absl::StatusOr<ValueInfo> sizes =
      InferOne(AvgPoolOp(), dilated, {Known(ElementType::kF32, PartialShape({1, 3, 32, 32}))});
  ASSERT_OK(sizes);
  EXPECT_EQ(sizes->shape, PartialShape({1, 3, 13, 13}));
}

void ExpectError(const AvgPoolAttributes& attributes, const Tensor& data, const char* label) {
  EXPECT_THAT(Evaluate(AvgPoolOp(), attributes, {data}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(AvgPoolTest, C1_RefusesBooleans) { ExpectError(Attributes({1}, {}), Bool({1, 1, 1}, {1}), "AvgPool_c1"); }

TEST(AvgPoolTest, C2_RefusesRanks) { ExpectError(Attributes({1}, {}), F32({1, 1}, {1}), "AvgPool_c2"); }

TEST(AvgPoolTest, C3_RefusesAttributes) {
  ExpectError(Attributes({1, 1}, {}), F32({1, 1, 2}, {1, 2}), "AvgPool_c3");
  ExpectError(Attributes({1}, {0}), F32({1, 1, 2}, {1, 2}), "AvgPool_c3");
}

TEST(AvgPoolTest, C4_RefusesAWindowThatDoesNotFit) {
  ExpectError(Attributes({3}, {}), F32({1, 1, 2}, {1, 2}), "AvgPool_c4");
}

}  // namespace
}  // namespace burin::ir

#include "ir/ops/max_pool.h"

#include <cmath>
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

MaxPoolAttributes Attributes(std::vector<int64_t> kernel, std::vector<int64_t> strides, std::vector<int64_t> pads = {},
                             RoundingType rounding = RoundingType::kFloor) {
  MaxPoolAttributes attributes;
  attributes.kernel = std::move(kernel);
  attributes.strides = std::move(strides);
  attributes.pads_begin = pads;
  attributes.pads_end = std::move(pads);
  attributes.rounding_type = rounding;
  return attributes;
}

std::vector<Tensor> Pooled(const MaxPoolAttributes& attributes, const Tensor& data) {
  const absl::StatusOr<std::vector<Tensor>> result = EvaluateAll(MaxPoolOp(), attributes, {data});
  EXPECT_OK(result);
  return result.ok() ? *result : std::vector<Tensor>(2);
}

Tensor Square() { return F32({1, 1, 3, 3}, {-1, 2, 3, 4, 5, -6, -7, 8, 9}); }

// The examples of OpenVINO's pooling shape rules; the first has max(3, -6) right, where the text has -6.
TEST(MaxPoolTest, PadsWithSomethingSmaller) {
  const std::vector<Tensor> result = Pooled(Attributes({2, 2}, {1, 1}, {1, 1}), Square());
  ExpectTensorEq(result[0], F32({1, 1, 4, 4}, {-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9}));
  ExpectTensorEq(result[1], I64({1, 1, 4, 4}, {0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8}));
}

TEST(MaxPoolTest, PoolsIn1DWithoutPadding) {
  MaxPoolAttributes attributes = Attributes({3}, {1}, {7});
  attributes.auto_pad = AutoPad::kValid;
  const std::vector<Tensor> result = Pooled(attributes, F32({1, 1, 7}, {-1, 2, 3, 5, -7, 9, 1}));
  ExpectTensorEq(result[0], F32({1, 1, 5}, {3, 5, 5, 9, 9}));
  ExpectTensorEq(result[1], I64({1, 1, 5}, {2, 3, 3, 5, 5}));
}

TEST(MaxPoolTest, PadsToTheSameSize) {
  MaxPoolAttributes attributes = Attributes({2, 2}, {1, 1});
  attributes.auto_pad = AutoPad::kSameLower;
  std::vector<Tensor> result = Pooled(attributes, Square());
  ExpectTensorEq(result[0], F32({1, 1, 3, 3}, {-1, 2, 3, 4, 5, 5, 4, 8, 9}));
  ExpectTensorEq(result[1], I64({1, 1, 3, 3}, {0, 1, 2, 3, 4, 4, 3, 7, 8}));
  attributes.auto_pad = AutoPad::kSameUpper;
  result = Pooled(attributes, F32({1, 2, 3, 3}, {-1, 2, 3, 4, 5, -6, -7, 8, 9, 2, -1, 5, 6, -7, 1, 8, 2, -3}));
  ExpectTensorEq(result[0], F32({1, 2, 3, 3}, {5, 5, 3, 8, 9, 9, 8, 9, 9, 6, 5, 5, 8, 2, 1, 8, 2, -3}));
  ExpectTensorEq(result[1], I64({1, 2, 3, 3}, {4, 4, 2, 7, 8, 8, 7, 8, 8, 12, 11, 11, 15, 16, 14, 15, 16, 17}));
}

TEST(MaxPoolTest, RoundsTheNumberOfWindows) {
  const Tensor data = F32({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  std::vector<Tensor> result = Pooled(Attributes({2, 2}, {2, 2}, {1, 1}, RoundingType::kCeilTorch), data);
  ExpectTensorEq(result[0], F32({1, 1, 2, 2}, {1, 3, 7, 9}));
  ExpectTensorEq(result[1], I64({1, 1, 2, 2}, {0, 2, 6, 8}));
  MaxPoolAttributes attributes = Attributes({2, 2}, {2, 2}, {}, RoundingType::kCeil);
  attributes.auto_pad = AutoPad::kValid;
  result = Pooled(attributes, Square());
  ExpectTensorEq(result[0], F32({1, 1, 2, 2}, {5, 3, 8, 9}));
  ExpectTensorEq(result[1], I64({1, 1, 2, 2}, {4, 2, 7, 8}));
}

TEST(MaxPoolTest, Dilates) {
  MaxPoolAttributes attributes = Attributes({2, 2}, {1, 1}, {1, 1});
  attributes.dilations = {2, 2};
  const std::vector<Tensor> result = Pooled(attributes, F32({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
  ExpectTensorEq(result[0], F32({1, 1, 3, 3}, {5, 6, 5, 8, 9, 8, 5, 6, 5}));
  ExpectTensorEq(result[1], I64({1, 1, 3, 3}, {4, 5, 4, 7, 8, 7, 4, 5, 4}));
}

TEST(MaxPoolTest, CountsPositionsFromTheAxisOn) {
  const Tensor data = F32({1, 2, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18});
  MaxPoolAttributes attributes = Attributes({2, 2}, {1, 1});
  attributes.axis = 2;
  attributes.index_element_type = ElementType::kI32;
  ExpectTensorEq(Pooled(attributes, data)[1], I32({1, 2, 2, 2}, {4, 5, 7, 8, 4, 5, 7, 8}));
  attributes.axis = -3;
  ExpectTensorEq(Pooled(attributes, data)[1], I32({1, 2, 2, 2}, {4, 5, 7, 8, 13, 14, 16, 17}));
  attributes.axis = 3;
  ExpectTensorEq(Pooled(attributes, data)[1], I32({1, 2, 2, 2}, {1, 2, 1, 2, 1, 2, 1, 2}));
  const Tensor batches = F32({2, 1, 2}, {1, 2, 3, 4});
  MaxPoolAttributes line = Attributes({2}, {1});
  ExpectTensorEq(Pooled(line, batches)[1], I64({2, 1, 1}, {1, 3}));
  line.axis = 1;
  ExpectTensorEq(Pooled(line, batches)[1], I64({2, 1, 1}, {1, 1}));
}

TEST(MaxPoolTest, PoolsIn3DAndEveryKindOfType) {
  ExpectTensorEq(Pooled(Attributes({2, 2, 2}, {1, 1, 1}), F16({1, 1, 2, 2, 2}, {1, 2, 3, 4, 8, 7, 6, 5}))[0],
                 F16({1, 1, 1, 1, 1}, {8}));
  ExpectTensorEq(Pooled(Attributes({2}, {1}, {1}), I8({1, 1, 2}, {-128, -5}))[0], I8({1, 1, 3}, {-128, -5, -5}));
  ExpectTensorEq(Pooled(Attributes({2}, {1}), IntTensor(ElementType::kU64, {1, 1, 2}, {5, INT64_MIN}))[0],
                 IntTensor(ElementType::kU64, {1, 1, 1}, {INT64_MIN}));
  ExpectTensorEq(Pooled(Attributes({2}, {1}), U8({1, 1, 3}, {1, 200, 3}))[0], U8({1, 1, 2}, {200, 200}));
}

TEST(MaxPoolTest, TakesTheFirstOfEqualsAndNaN) {
  const std::vector<Tensor> result = Pooled(Attributes({3}, {1}), F32({1, 1, 4}, {1, 1, NAN, 7}));
  ExpectTensorEq(result[0], F32({1, 1, 2}, {NAN, NAN}));
  ExpectTensorEq(result[1], I64({1, 1, 2}, {2, 2}));
  ExpectTensorEq(Pooled(Attributes({2}, {1}), F32({1, 1, 2}, {1, 1}))[1], I64({1, 1, 1}, {0}));
}

TEST(MaxPoolTest, AWindowOfPaddingAloneGivesTheSmallest) {
  // Windows begin at -2, 0 and 2 of two elements.
  ExpectTensorEq(Pooled(Attributes({2}, {2}, {2}), F32({1, 1, 2}, {3, 4}))[0],
                 F32({1, 1, 3}, {-INFINITY, 4, -INFINITY}));
  ExpectTensorEq(Pooled(Attributes({2}, {2}, {2}), I8({1, 1, 2}, {3, 4}))[0], I8({1, 1, 3}, {-128, 4, -128}));
}

TEST(MaxPoolTest, InfersSymbols) {
  const Dimension batch = Dimension::Symbol("batch");
  const absl::StatusOr<std::vector<ValueInfo>> result =
      Infer(MaxPoolOp(), Attributes({2}, {2}), {Known(ElementType::kF32, {batch, 4, Dimension(10, 21)})});
  ASSERT_OK(result);
  EXPECT_EQ((*result)[0].shape, PartialShape({batch, 4, Dimension(5, 10)}));
  EXPECT_EQ((*result)[1].shape, (*result)[0].shape);
  EXPECT_EQ((*result)[1].type, ElementType::kI64);
  const absl::StatusOr<std::vector<ValueInfo>> unknown =
      Infer(MaxPoolOp(), Attributes({2}, {2}), {Known(ElementType::kF32, PartialShape::DynamicRank())});
  ASSERT_OK(unknown);
  EXPECT_EQ((*unknown)[0].shape.rank(), 3);
}

void ExpectError(const MaxPoolAttributes& attributes, const Tensor& data, const char* label) {
  EXPECT_THAT(EvaluateAll(MaxPoolOp(), attributes, {data}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(MaxPoolTest, C1_RefusesBooleans) { ExpectError(Attributes({1}, {}), Bool({1, 1, 1}, {1}), "MaxPool_c1"); }

TEST(MaxPoolTest, C2_RefusesRanks) { ExpectError(Attributes({1}, {}), F32({1, 1}, {1}), "MaxPool_c2"); }

TEST(MaxPoolTest, C3_RefusesAttributes) {
  const Tensor data = F32({1, 1, 2}, {1, 2});
  ExpectError(Attributes({1, 1}, {}), data, "MaxPool_c3");
  ExpectError(Attributes({}, {}), data, "MaxPool_c3");
  ExpectError(Attributes({1}, {0}), data, "MaxPool_c3");
  ExpectError(Attributes({1}, {1}, {-1}), data, "MaxPool_c3");
}

TEST(MaxPoolTest, C4_RefusesAWindowThatDoesNotFit) {
  ExpectError(Attributes({3}, {}), F32({1, 1, 2}, {1, 2}), "MaxPool_c4");
  ExpectError(Attributes({0}, {}), F32({1, 1, 2}, {1, 2}), "MaxPool_c4");
}

TEST(MaxPoolTest, C5_RefusesIndexTypes) {
  MaxPoolAttributes attributes = Attributes({1}, {});
  attributes.index_element_type = ElementType::kF32;
  ExpectError(attributes, F32({1, 1, 1}, {1}), "MaxPool_c5");
}

TEST(MaxPoolTest, C6_RefusesAxes) {
  MaxPoolAttributes attributes = Attributes({1}, {});
  attributes.axis = 3;
  ExpectError(attributes, F32({1, 1, 1}, {1}), "MaxPool_c6");
}

}  // namespace
}  // namespace burin::ir

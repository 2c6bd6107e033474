#include "ir/ops/group_convolution.h"

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

Tensor Convolved(const GroupConvolutionAttributes& attributes, const Tensor& data, const Tensor& filters) {
  const absl::StatusOr<Tensor> result = Evaluate(GroupConvolutionOp(), attributes, {data, filters});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(GroupConvolutionTest, ConvolvesDepthwise) {
  GroupConvolutionAttributes attributes;
  attributes.pads_begin = {1};
  attributes.pads_end = {1};
  ExpectTensorEq(Convolved(attributes, F32({1, 2, 3}, {1, 2, 3, 4, 5, 6}), F32({2, 1, 1, 3}, {1, 1, 1, 0, 10, 0})),
                 F32({1, 2, 3}, {3, 6, 5, 40, 50, 60}));
}

TEST(GroupConvolutionTest, KeepsGroupsApart) {
  // Two groups of two channels each in, one each out; two batches.
  const Tensor data = F32({2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor filters = F32({2, 1, 2, 1}, {1, 10, 100, 1000});
  ExpectTensorEq(Convolved({}, data, filters), F32({2, 2, 1}, {21, 4300, 65, 8700}));
}

TEST(GroupConvolutionTest, WrapsIntegersIn2D) {
  ExpectTensorEq(Convolved({}, U8({1, 2, 1, 2}, {200, 100, 3, 4}), U8({2, 1, 1, 1, 2}, {1, 1, 2, 3})),
                 U8({1, 2, 1, 1}, {44, 18}));
}

TEST(GroupConvolutionTest, InfersChannelsOfAllGroups) {
  const Dimension batch = Dimension::Symbol("batch");
  const absl::StatusOr<ValueInfo> result =
      InferOne(GroupConvolutionOp(), GroupConvolutionAttributes(),
               {Known(ElementType::kF32, {batch, 12, 10}), Known(ElementType::kF32, PartialShape({4, 2, 3, 5}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 8, 6}));
  const absl::StatusOr<ValueInfo> unknown_data = InferOne(
      GroupConvolutionOp(), GroupConvolutionAttributes(),
      {Known(ElementType::kF32, PartialShape::DynamicRank()), Known(ElementType::kF32, PartialShape({4, 2, 3, 5}))});
  ASSERT_OK(unknown_data);
  EXPECT_EQ(unknown_data->shape.rank(), 3);
}

absl::Status ErrorOf(const Tensor& data, const Tensor& filters) {
  return Evaluate(GroupConvolutionOp(), GroupConvolutionAttributes(), {data, filters}).status();
}

TEST(GroupConvolutionTest, C2_RefusesFiltersWithoutGroups) {
  EXPECT_THAT(ErrorOf(F32({1, 1, 1}, {1}), F32({1, 1, 1}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("GroupConvolution_c2")));
}

TEST(GroupConvolutionTest, C4_RefusesChannelsAndNoGroups) {
  EXPECT_THAT(ErrorOf(F32({1, 3, 1}, {1, 2, 3}), F32({2, 1, 1, 1}, {1, 1})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("GroupConvolution_c4")));
  EXPECT_THAT(ErrorOf(F32({1, 0, 1}, {}), F32({0, 1, 1, 1}, {})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("GroupConvolution_c4")));
}

}  // namespace
}  // namespace burin::ir

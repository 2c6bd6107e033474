#include "ir/ops/group_convolution_backprop_data.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

Tensor Transposed(const GroupConvolutionBackpropDataAttributes& attributes, const Tensor& data, const Tensor& filters) {
  const absl::StatusOr<Tensor> result = Evaluate(GroupConvolutionBackpropDataOp(), attributes, {data, filters});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(GroupConvolutionBackpropDataTest, KeepsGroupsApart) {
  // Two groups: channels {1, 2} through {1, 10}, channels {3, 4} through {100, 1000}.
  ExpectTensorEq(Transposed({}, F32({1, 4, 1}, {1, 2, 3, 4}), F32({2, 2, 1, 1}, {1, 10, 100, 1000})),
                 F32({1, 2, 1}, {21, 4300}));
}

TEST(GroupConvolutionBackpropDataTest, UpsamplesDepthwise) {
  GroupConvolutionBackpropDataAttributes attributes;
  attributes.strides = {2};
  ExpectTensorEq(Transposed(attributes, F16({1, 2, 2}, {1, 2, 3, 4}), F16({2, 1, 1, 2}, {1, 1, 1, 10})),
                 F16({1, 2, 4}, {1, 1, 2, 2, 3, 30, 4, 40}));
}

TEST(GroupConvolutionBackpropDataTest, InfersChannelsOfAllGroups) {
  const Dimension batch = Dimension::Symbol("batch");
  const absl::StatusOr<ValueInfo> result =
      InferOne(GroupConvolutionBackpropDataOp(), GroupConvolutionBackpropDataAttributes(),
               {Known(ElementType::kF32, {batch, 20, 224}), Known(ElementType::kF32, PartialShape({4, 5, 2, 3}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 8, 226}));
}

TEST(GroupConvolutionBackpropDataTest, C4_RefusesChannels) {
  EXPECT_THAT(Evaluate(GroupConvolutionBackpropDataOp(), GroupConvolutionBackpropDataAttributes(),
                       {F32({1, 3, 1}, {1, 2, 3}), F32({2, 1, 1, 1}, {1, 1})})
                  .status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("GroupConvolutionBackpropData_c4")));
}

}  // namespace
}  // namespace burin::ir

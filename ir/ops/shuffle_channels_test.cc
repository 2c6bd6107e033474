#include "ir/ops/shuffle_channels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

ShuffleChannelsAttributes Make(int64_t axis, int64_t group) {
  ShuffleChannelsAttributes attributes;
  attributes.axis = axis;
  attributes.group = group;
  return attributes;
}

TEST(ShuffleChannelsTest, InterleavesGroups) {
  ASSERT_OK_AND_ASSIGN(const Tensor channels,
                       Evaluate(ShuffleChannelsOp(), Make(1, 2), {F32({1, 6, 1}, {0, 1, 2, 3, 4, 5})}));
  ExpectTensorEq(channels, F32({1, 6, 1}, {0, 3, 1, 4, 2, 5}));
  ASSERT_OK_AND_ASSIGN(const Tensor last, Evaluate(ShuffleChannelsOp(), Make(-1, 3), {I8({6}, {0, 1, 2, 3, 4, 5})}));
  ExpectTensorEq(last, I8({6}, {0, 2, 4, 1, 3, 5}));
  ASSERT_OK_AND_ASSIGN(const Tensor first,
                       Evaluate(ShuffleChannelsOp(), Make(0, 2), {I64({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7})}));
  ExpectTensorEq(first, I64({4, 2}, {0, 1, 4, 5, 2, 3, 6, 7}));
}

TEST(ShuffleChannelsTest, KeepsTheShape) {
  const PartialShape shape = {Dimension::Symbol("n"), Dimension()};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ShuffleChannelsOp(), Make(1, 4), {Known(ElementType::kF32, shape)}));
  EXPECT_EQ(info.shape, shape);
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Evaluate(ShuffleChannelsOp(), Make(1, 2), {F32({0, 2}, {})}));
  ExpectTensorEq(empty, F32({0, 2}, {}));
}

TEST(ShuffleChannelsTest, RejectsByConstraint) {
  const Tensor data = F32({1, 3}, {1, 2, 3});
  EXPECT_THAT(Evaluate(ShuffleChannelsOp(), Make(2, 1), {data}), StatusIs(kInvalid, HasSubstr("ShuffleChannels_c1")));
  EXPECT_THAT(Evaluate(ShuffleChannelsOp(), Make(1, 2), {data}), StatusIs(kInvalid, HasSubstr("ShuffleChannels_c2")));
  EXPECT_THAT(Evaluate(ShuffleChannelsOp(), Make(1, 0), {data}), StatusIs(kInvalid, HasSubstr("ShuffleChannels_c2")));
}

}  // namespace
}  // namespace burin::ir

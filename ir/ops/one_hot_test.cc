#include "ir/ops/one_hot.h"

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

OneHotAttributes Make(int64_t axis, NegativeIndicesMode mode = NegativeIndicesMode::kIgnoreNegative) {
  OneHotAttributes attributes;
  attributes.axis = axis;
  attributes.negative_indices_mode = mode;
  return attributes;
}

TEST(OneHotTest, MarksTheIndexedPlaces) {
  ASSERT_OK_AND_ASSIGN(
      const Tensor middle,
      Evaluate(OneHotOp(), Make(1), {I64({2, 3}, {0, 3, 1, 1, 2, 4}), I64({}, {3}), I32({}, {1}), I32({}, {0})}));
  ExpectTensorEq(middle, I32({2, 3, 3}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar,
                       Evaluate(OneHotOp(), Make(-1), {I32({}, {1}), I32({1}, {2}), F16({}, {5}), F16({1}, {-1})}));
  ExpectTensorEq(scalar, F16({2}, {-1, 5}));
  ASSERT_OK_AND_ASSIGN(const Tensor first,
                       Evaluate(OneHotOp(), Make(0), {I64({2}, {1, 0}), I64({}, {2}), Bool({}, {1}), Bool({}, {0})}));
  ExpectTensorEq(first, Bool({2, 2}, {0, 1, 1, 0}));
}

TEST(OneHotTest, NegativeIndicesByMode) {
  const std::vector<Tensor> inputs = {I64({4}, {0, -5, -2, 2}), I64({}, {3}), U8({}, {1}), U8({}, {2})};
  ASSERT_OK_AND_ASSIGN(const Tensor ignored, Evaluate(OneHotOp(), Make(-1), inputs));
  ExpectTensorEq(ignored, U8({4, 3}, {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor wrapped, Evaluate(OneHotOp(), Make(-1, NegativeIndicesMode::kNormalize), inputs));
  ExpectTensorEq(wrapped, U8({4, 3}, {1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 1}));
}

TEST(OneHotTest, EmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor none,
                       Evaluate(OneHotOp(), Make(0), {I64({0}, {}), I64({}, {2}), F32({}, {1}), F32({}, {0})}));
  ExpectTensorEq(none, F32({2, 0}, {}));
}

TEST(OneHotTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  const ValueInfo value = Known(ElementType::kF32, {});
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(OneHotOp(), Make(1),
                                                      {Known(ElementType::kI64, {n, 4}),
                                                       PartialScalar(Dimension::Symbol("k")), value, value}));
  EXPECT_EQ(info.shape, PartialShape({n, Dimension::Symbol("k"), 4}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank, InferOne(OneHotOp(), Make(1),
                                                      {Known(ElementType::kI64, PartialShape::DynamicRank()),
                                                       Known(ElementType::kI64, {}), value, value}));
  EXPECT_FALSE(rank.shape.has_rank());
}

TEST(OneHotTest, C1RejectsIndicesAndDepths) {
  const Tensor value = F32({}, {1});
  EXPECT_THAT(Evaluate(OneHotOp(), Make(0), {F32({}, {0}), I64({}, {1}), value, value}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("OneHot_c1")));
  EXPECT_THAT(Evaluate(OneHotOp(), Make(0), {I64({}, {0}), I64({}, {-1}), value, value}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("OneHot_c1")));
}

TEST(OneHotTest, C2RejectsValues) {
  EXPECT_THAT(Evaluate(OneHotOp(), Make(0), {I64({}, {0}), I64({}, {1}), F32({}, {1}), I32({}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("OneHot_c2")));
  EXPECT_THAT(Evaluate(OneHotOp(), Make(0), {I64({}, {0}), I64({}, {1}), F32({2}, {1, 0}), F32({}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("OneHot_c2")));
}

TEST(OneHotTest, C3RejectsAxes) {
  EXPECT_THAT(Evaluate(OneHotOp(), Make(1), {I64({}, {0}), I64({}, {1}), F32({}, {1}), F32({}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("OneHot_c3")));
}

}  // namespace
}  // namespace burin::ir

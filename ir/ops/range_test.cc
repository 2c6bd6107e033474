#include "ir/ops/range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

RangeAttributes Type(ElementType type) {
  RangeAttributes attributes;
  attributes.output_type = type;
  return attributes;
}

absl::StatusOr<Tensor> Numbers(ElementType type, const Tensor& start, const Tensor& stop, const Tensor& step) {
  return Evaluate(RangeOp(), Type(type), {start, stop, step});
}

TEST(RangeTest, CountsInIntegers) {
  ASSERT_OK_AND_ASSIGN(const Tensor up, Numbers(ElementType::kI32, I64({}, {2}), I64({}, {23}), I64({}, {3})));
  ExpectTensorEq(up, I32({7}, {2, 5, 8, 11, 14, 17, 20}));
  ASSERT_OK_AND_ASSIGN(const Tensor down, Numbers(ElementType::kI64, I32({}, {23}), I32({1}, {2}), I32({}, {-3})));
  ExpectTensorEq(down, I64({7}, {23, 20, 17, 14, 11, 8, 5}));
  ASSERT_OK_AND_ASSIGN(const Tensor none, Numbers(ElementType::kI32, I32({}, {3}), I32({}, {1}), I32({}, {1})));
  ExpectTensorEq(none, I32({0}, {}));
  // Fractions are cut off for an integer output.
  ASSERT_OK_AND_ASSIGN(const Tensor cut, Numbers(ElementType::kI32, F32({}, {0.9}), F32({}, {3.9}), F32({}, {1.5})));
  ExpectTensorEq(cut, I32({3}, {0, 1, 2}));
}

TEST(RangeTest, CountsInFloats) {
  ASSERT_OK_AND_ASSIGN(const Tensor f32, Numbers(ElementType::kF32, F32({}, {1}), F32({}, {2.5}), F32({}, {0.5})));
  ExpectTensorEq(f32, F32({3}, {1, 1.5, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor f16, Numbers(ElementType::kF16, I32({}, {2}), F32({}, {-1}), F32({}, {-1.5})));
  ExpectTensorEq(f16, F16({2}, {2, 0.5}));
}

TEST(RangeTest, ReachesTheEndsOfTheIntegers) {
  ASSERT_OK_AND_ASSIGN(const Tensor wide,
                       Numbers(ElementType::kI64, I64({}, {INT64_MIN}), I64({}, {INT64_MAX}), I64({}, {INT64_MAX})));
  ExpectTensorEq(wide, I64({3}, {INT64_MIN, -1, INT64_MAX - 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor u64, Numbers(ElementType::kU64, IntTensor(ElementType::kU64, {}, {-3}),
                                                 IntTensor(ElementType::kU64, {}, {-1}), I32({}, {1})));
  ExpectTensorEq(u64, IntTensor(ElementType::kU64, {2}, {-3, -2}));
}

TEST(RangeTest, InfersTheCount) {
  const Dimension n = Dimension::Symbol("n");
  const auto count_of = [](const ValueInfo& start, const ValueInfo& stop, const ValueInfo& step) {
    return InferOne(RangeOp(), Type(ElementType::kI64), {start, stop, step});
  };
  ASSERT_OK_AND_ASSIGN(const ValueInfo symbolic,
                       count_of(Constant(I64({}, {0})), PartialScalar(n), Constant(I64({}, {1}))));
  EXPECT_EQ(symbolic.shape, PartialShape({n}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo interval,
                       count_of(Constant(I64({}, {2})), PartialScalar(Dimension(1, 5)), Constant(I64({}, {1}))));
  EXPECT_EQ(interval.shape, PartialShape({Dimension(0, 3)}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo unknown, count_of(Known(ElementType::kF32, {}), Known(ElementType::kF32, {}),
                                                         Known(ElementType::kF32, {})));
  EXPECT_EQ(unknown.shape, PartialShape({Dimension()}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo exact,
                       count_of(Constant(I64({}, {0})), Constant(I64({}, {3})), Constant(I64({}, {1}))));
  ASSERT_TRUE(exact.constant.has_value());
  ExpectTensorEq(exact.constant, I64({3}, {0, 1, 2}));
}

TEST(RangeTest, C1RejectsInputs) {
  const Tensor one = I32({}, {1});
  EXPECT_THAT(Numbers(ElementType::kI32, Bool({}, {1}), one, one), StatusIs(kInvalid, HasSubstr("Range_c1")));
  EXPECT_THAT(Numbers(ElementType::kI32, one, I32({2}, {1, 2}), one), StatusIs(kInvalid, HasSubstr("Range_c1")));
  EXPECT_THAT(Numbers(ElementType::kBoolean, one, one, one), StatusIs(kInvalid, HasSubstr("Range_c1")));
}

TEST(RangeTest, C2RejectsZeroSteps) {
  const Tensor one = F32({}, {1});
  EXPECT_THAT(Numbers(ElementType::kF32, one, one, F32({}, {0})), StatusIs(kInvalid, HasSubstr("Range_c2")));
  EXPECT_THAT(Numbers(ElementType::kI32, one, one, F32({}, {0.5})), StatusIs(kInvalid, HasSubstr("Range_c2")));
}

TEST(RangeTest, C3RejectsWhatCannotBeCounted) {
  const Tensor one = F64({}, {1});
  const Tensor infinite = F64({}, {std::numeric_limits<double>::infinity()});
  EXPECT_THAT(Numbers(ElementType::kF32, one, infinite, one), StatusIs(kInvalid, HasSubstr("Range_c3")));
  EXPECT_THAT(Numbers(ElementType::kI32, one, infinite, one), StatusIs(kInvalid, HasSubstr("Range_c3")));
  EXPECT_THAT(Numbers(ElementType::kF32, one, F64({}, {1e300}), F64({}, {1e-300})),
              StatusIs(kInvalid, HasSubstr("Range_c3")));
  EXPECT_THAT(Numbers(ElementType::kI64, I64({}, {INT64_MIN}), I64({}, {INT64_MAX}), I64({}, {1})),
              StatusIs(kInvalid, HasSubstr("Range_c3")));
}

}  // namespace
}  // namespace burin::ir

#include "ir/ops/pad.h"

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

PadAttributes Mode(PadMode mode) {
  PadAttributes attributes;
  attributes.pad_mode = mode;
  return attributes;
}

Tensor List(const std::vector<int64_t>& values) { return I64({static_cast<int64_t>(values.size())}, values); }

absl::StatusOr<Tensor> Padded(PadMode mode, const Tensor& data, const std::vector<int64_t>& begin,
                              const std::vector<int64_t>& end) {
  return Evaluate(PadOp(), Mode(mode), {data, List(begin), List(end)});
}

const Tensor& Matrix() {
  static const Tensor matrix = F32({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  return matrix;
}

// The matrices are those of the operation's specification.
TEST(PadTest, AddsByMode) {
  const std::vector<int64_t> begin = {0, 1};
  const std::vector<int64_t> end = {2, 3};
  ASSERT_OK_AND_ASSIGN(const Tensor constant, Padded(PadMode::kConstant, Matrix(), begin, end));
  ExpectTensorEq(constant, F32({5, 8}, {0,  1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0, 0, 9, 10, 11,
                                        12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0}));
  ASSERT_OK_AND_ASSIGN(const Tensor edge, Padded(PadMode::kEdge, Matrix(), begin, end));
  ExpectTensorEq(edge, F32({5, 8}, {1,  1,  2,  3,  4, 4, 4,  4,  5,  5,  6,  7,  8, 8, 8,  8,  9,  9,  10, 11,
                                    12, 12, 12, 12, 9, 9, 10, 11, 12, 12, 12, 12, 9, 9, 10, 11, 12, 12, 12, 12}));
  ASSERT_OK_AND_ASSIGN(const Tensor reflect, Padded(PadMode::kReflect, Matrix(), begin, end));
  ExpectTensorEq(reflect, F32({5, 8}, {2,  1,  2,  3, 4, 3, 2, 1, 6, 5, 6, 7, 8, 7, 6, 5, 10, 9, 10, 11,
                                       12, 11, 10, 9, 6, 5, 6, 7, 8, 7, 6, 5, 2, 1, 2, 3, 4,  3, 2,  1}));
  ASSERT_OK_AND_ASSIGN(const Tensor symmetric, Padded(PadMode::kSymmetric, Matrix(), begin, end));
  ExpectTensorEq(symmetric, F32({5, 8}, {1,  1,  2,  3,  4, 4, 3,  2,  5,  5,  6,  7,  8, 8, 7, 6, 9, 9, 10, 11,
                                         12, 12, 11, 10, 9, 9, 10, 11, 12, 12, 11, 10, 5, 5, 6, 7, 8, 8, 7,  6}));
}

TEST(PadTest, NegativePadsCrop) {
  for (const PadMode mode : {PadMode::kConstant, PadMode::kEdge, PadMode::kReflect, PadMode::kSymmetric}) {
    ASSERT_OK_AND_ASSIGN(const Tensor cropped, Padded(mode, Matrix(), {-1, -1}, {-1, -1}));
    ExpectTensorEq(cropped, F32({1, 2}, {6, 7}));
    ASSERT_OK_AND_ASSIGN(const Tensor nothing, Padded(mode, Matrix(), {-5, 0}, {0, 0}));
    ExpectTensorEq(nothing, F32({0, 4}, {}));
  }
}

TEST(PadTest, MixedPads) {
  ASSERT_OK_AND_ASSIGN(const Tensor reflect, Padded(PadMode::kReflect, Matrix(), {2, -1}, {-1, 3}));
  ExpectTensorEq(reflect, F32({4, 6}, {10, 11, 12, 11, 10, 9, 6, 7, 8, 7, 6, 5, 2, 3, 4, 3, 2, 1, 6, 7, 8, 7, 6, 5}));
  ASSERT_OK_AND_ASSIGN(const Tensor symmetric, Padded(PadMode::kSymmetric, Matrix(), {2, -1}, {-1, 3}));
  ExpectTensorEq(symmetric, F32({4, 6}, {6, 7, 8, 8, 7, 6, 2, 3, 4, 4, 3, 2, 2, 3, 4, 4, 3, 2, 6, 7, 8, 8, 7, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor constant, Padded(PadMode::kConstant, Matrix(), {2, -1}, {-1, 3}));
  ExpectTensorEq(constant, F32({4, 6}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 0, 0, 0, 6, 7, 8, 0, 0, 0}));
}

TEST(PadTest, TakesThePadValueOfAnyType) {
  ASSERT_OK_AND_ASSIGN(const Tensor packed, Evaluate(PadOp(), PadAttributes(),
                                                     {IntTensor(ElementType::kI4, {2}, {1, 2}), List({1}), List({2}),
                                                      IntTensor(ElementType::kI4, {}, {-8})}));
  ExpectTensorEq(packed, IntTensor(ElementType::kI4, {5}, {-8, 1, 2, -8, -8}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty,
                       Evaluate(PadOp(), PadAttributes(), {F16({0}, {}), List({1}), List({1}), F16({1}, {3})}));
  ExpectTensorEq(empty, F16({2}, {3, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Padded(PadMode::kConstant, Bool({}, {1}), {}, {}));
  ExpectTensorEq(scalar, Bool({}, {1}));
}

TEST(PadTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(PadOp(), PadAttributes(),
                                                      {Known(ElementType::kF32, {n, Dimension(2, 5), n}),
                                                       Constant(List({0, 1, -2})), Constant(List({0, 2, 0}))}));
  EXPECT_EQ(info.shape, PartialShape({n, Dimension(5, 8), Dimension()}));
  const ValueInfo pads = Known(ElementType::kI64, {2});
  ASSERT_OK_AND_ASSIGN(const ValueInfo unknown,
                       InferOne(PadOp(), PadAttributes(), {Known(ElementType::kF32, {2, 3}), pads, pads}));
  EXPECT_EQ(unknown.shape, PartialShape::OfRank(2));
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo rank,
      InferOne(PadOp(), PadAttributes(), {Known(ElementType::kF32, PartialShape::DynamicRank()), pads, pads}));
  EXPECT_EQ(rank.shape, PartialShape::OfRank(2));
}

TEST(PadTest, C1RejectsPads) {
  EXPECT_THAT(Padded(PadMode::kConstant, Matrix(), {0}, {0}), StatusIs(kInvalid, HasSubstr("Pad_c1")));
  EXPECT_THAT(Padded(PadMode::kConstant, Matrix(), {0, 0}, {0}), StatusIs(kInvalid, HasSubstr("Pad_c1")));
  EXPECT_THAT(Evaluate(PadOp(), PadAttributes(), {F32({1}, {1}), F32({1}, {1}), List({0})}),
              StatusIs(kInvalid, HasSubstr("Pad_c1")));
}

TEST(PadTest, C2RejectsPadValues) {
  for (const Tensor& value : {I32({}, {1}), F32({2}, {1, 2})}) {
    EXPECT_THAT(Evaluate(PadOp(), PadAttributes(), {F32({1}, {1}), List({1}), List({0}), value}),
                StatusIs(kInvalid, HasSubstr("Pad_c2")));
  }
}

TEST(PadTest, C3RejectsPadsBeyondTheMirror) {
  EXPECT_THAT(Padded(PadMode::kReflect, F32({2}, {1, 2}), {2}, {0}), StatusIs(kInvalid, HasSubstr("Pad_c3")));
  EXPECT_THAT(Padded(PadMode::kSymmetric, F32({2}, {1, 2}), {0}, {3}), StatusIs(kInvalid, HasSubstr("Pad_c3")));
  EXPECT_THAT(Padded(PadMode::kEdge, F32({0}, {}), {0}, {1}), StatusIs(kInvalid, HasSubstr("Pad_c3")));
  EXPECT_THAT(Padded(PadMode::kReflect, F32({0}, {}), {1}, {0}), StatusIs(kInvalid, HasSubstr("Pad_c3")));
}

TEST(PadTest, C4RejectsHugePads) {
  EXPECT_THAT(Padded(PadMode::kConstant, F32({2}, {1, 2}), {INT64_MAX}, {INT64_MAX}),
              StatusIs(kInvalid, HasSubstr("Pad_c4")));
  EXPECT_THAT(Padded(PadMode::kConstant, F32({2}, {1, 2}), {INT64_MIN}, {0}), StatusIs(kInvalid, HasSubstr("Pad_c4")));
}

TEST(PadTest, SourceIndexByMode) {
  for (const PadMode mode : {PadMode::kConstant, PadMode::kEdge, PadMode::kReflect, PadMode::kSymmetric}) {
    EXPECT_EQ(PadSourceIndex(mode, 3, 5), 3);
  }
  EXPECT_LT(PadSourceIndex(PadMode::kConstant, -1, 5), 0);
  EXPECT_EQ(PadSourceIndex(PadMode::kEdge, -2, 5), 0);
  EXPECT_EQ(PadSourceIndex(PadMode::kEdge, 6, 5), 4);
  EXPECT_EQ(PadSourceIndex(PadMode::kReflect, -2, 5), 2);
  EXPECT_EQ(PadSourceIndex(PadMode::kReflect, 6, 5), 2);
  EXPECT_EQ(PadSourceIndex(PadMode::kSymmetric, -2, 5), 1);
  EXPECT_EQ(PadSourceIndex(PadMode::kSymmetric, 6, 5), 3);
}

}  // namespace
}  // namespace burin::ir

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::vector<Tensor>> Cut(const Tensor& data, int64_t axis, const std::vector<int64_t>& lengths) {
  return EvaluateAll(VariadicSplitOp(), NoAttributes(),
                     {data, I64({}, {axis}), I64({static_cast<int64_t>(lengths.size())}, lengths)});
}

TEST(VariadicSplitTest, CutsPartsOfGivenLengths) {
  const Tensor data = F16({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> parts, Cut(data, 1, {1, -1, 0}));
  ASSERT_EQ(parts.size(), 3u);
  ExpectTensorEq(parts[0], F16({2, 1}, {0, 4}));
  ExpectTensorEq(parts[1], F16({2, 3}, {1, 2, 3, 5, 6, 7}));
  ExpectTensorEq(parts[2], F16({2, 0}, {}));
}

TEST(VariadicSplitTest, CutsMorePartsThanValuesTravel) {
  std::vector<int64_t> elements(300);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<int64_t>(i);
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> parts, Cut(I32({300}, elements), 0, std::vector<int64_t>(300, 1)));
  ASSERT_EQ(parts.size(), 300u);
  ExpectTensorEq(parts[299], I32({1}, {299}));
}

TEST(VariadicSplitTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  const ValueInfo data = Known(ElementType::kF32, {n, Dimension(5, 9)});
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> rest,
      Infer(VariadicSplitOp(), NoAttributes(), {data, Constant(I64({}, {1})), Constant(I64({2}, {3, -1}))}));
  EXPECT_EQ(rest[0].shape, PartialShape({n, 3}));
  EXPECT_EQ(rest[1].shape, PartialShape({n, Dimension(2, 6)}));
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> symbolic,
                       Infer(VariadicSplitOp(), NoAttributes(),
                             {Known(ElementType::kF32, {20, 2}), Constant(I64({}, {0})), Partial({n, -1})}));
  EXPECT_EQ(symbolic[0].shape, PartialShape({n, 2}));
  EXPECT_EQ(symbolic[1].shape, PartialShape({Dimension(0, 20), 2}));
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> unknown,
      Infer(VariadicSplitOp(), NoAttributes(),
            {Known(ElementType::kF32, {20, 2}), Known(ElementType::kI32, {}), Known(ElementType::kI32, {4})}));
  ASSERT_EQ(unknown.size(), 4u);
  EXPECT_EQ(unknown[3].shape, PartialShape({Dimension(0, 20), Dimension(0, 2)}));
}

TEST(VariadicSplitTest, RefusesAnUnknownNumberOfParts) {
  for (const PartialShape& lengths : {PartialShape::DynamicRank(), PartialShape{Dimension(0, 4)}}) {
    EXPECT_THAT(Infer(VariadicSplitOp(), NoAttributes(),
                      {Known(ElementType::kF32, {20}), Constant(I64({}, {0})), Known(ElementType::kI64, lengths)}),
                StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("number of parts that is not known")));
  }
}

TEST(VariadicSplitTest, KeepsTheSymbolOfTheWhole) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> parts,
                       Infer(VariadicSplitOp(), NoAttributes(),
                             {Known(ElementType::kF32, {n}), Constant(I64({}, {0})), Constant(I64({2}, {0, -1}))}));
  EXPECT_EQ(parts[1].shape, PartialShape({n}));
}

TEST(VariadicSplitTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> parts,
                       Infer(VariadicSplitOp(), NoAttributes(),
                             {Partial({1, n, 3}), Constant(I64({}, {0})), Constant(I64({2}, {-1, 2}))}));
  EXPECT_EQ(parts[0].content, (PartialValue{1}));
  EXPECT_EQ(parts[1].content, (PartialValue{n, 3}));
}

TEST(VariadicSplitTest, C1RejectsAxes) {
  EXPECT_THAT(Cut(F32({2}, {1, 2}), 1, {2}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("VariadicSplit_c1")));
}

TEST(VariadicSplitTest, C2RejectsNegativeLengths) {
  EXPECT_THAT(Cut(F32({2}, {1, 2}), 0, {-2, 4}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("VariadicSplit_c2")));
  EXPECT_THAT(Cut(F32({2}, {1, 2}), 0, {-1, -1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("VariadicSplit_c2")));
}

TEST(VariadicSplitTest, C3RejectsWrongSums) {
  EXPECT_THAT(Cut(F32({2}, {1, 2}), 0, {1, 2}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("VariadicSplit_c3")));
  EXPECT_THAT(Cut(F32({2}, {1, 2}), 0, {3, -1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("VariadicSplit_c3")));
  constexpr int64_t kHuge = int64_t{1} << 62;
  EXPECT_THAT(Cut(F32({2}, {1, 2}), 0, {kHuge, kHuge, kHuge, kHuge, -1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("VariadicSplit_c3")));
}

}  // namespace
}  // namespace burin::ir

#include "ir/ops/top_k.h"

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

TopKAttributes Make(int64_t axis, TopKMode mode, TopKSort sort) {
  TopKAttributes attributes;
  attributes.axis = axis;
  attributes.mode = mode;
  attributes.sort = sort;
  attributes.stable = true;
  return attributes;
}

TEST(TopKTest, SelectsByValue) {
  const Tensor data = F32({2, 4}, {3, 1, 4, 1, 5, 9, 2, 6});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> largest,
                       EvaluateAll(TopKOp(), Make(1, TopKMode::kMax, TopKSort::kValue), {data, I64({}, {3})}));
  ExpectTensorEq(largest[0], F32({2, 3}, {4, 3, 1, 9, 6, 5}));
  ExpectTensorEq(largest[1], I32({2, 3}, {2, 0, 1, 1, 3, 0}));
  TopKAttributes along_rows = Make(-2, TopKMode::kMin, TopKSort::kValue);
  along_rows.index_element_type = ElementType::kI64;
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> smallest, EvaluateAll(TopKOp(), along_rows, {data, I32({}, {1})}));
  ExpectTensorEq(smallest[0], F32({1, 4}, {3, 1, 2, 1}));
  ExpectTensorEq(smallest[1], I64({1, 4}, {0, 0, 1, 0}));
}

// The example of the operation's specification.
TEST(TopKTest, SortsByIndex) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> smallest,
      EvaluateAll(TopKOp(), Make(0, TopKMode::kMin, TopKSort::kIndex), {I32({6}, {5, 3, 1, 2, 5, 5}), I64({}, {4})}));
  ExpectTensorEq(smallest[0], I32({4}, {5, 3, 1, 2}));
  ExpectTensorEq(smallest[1], I32({4}, {0, 1, 2, 3}));
}

TEST(TopKTest, ComparesEveryTypeExactly) {
  const TopKAttributes max = Make(0, TopKMode::kMax, TopKSort::kValue);
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> u64,
                       EvaluateAll(TopKOp(), max, {IntTensor(ElementType::kU64, {3}, {1, -1, 2}), I64({}, {1})}));
  ExpectTensorEq(u64[1], I32({1}, {1}));
  const int64_t large = int64_t{1} << 60;
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> i64,
                       EvaluateAll(TopKOp(), max, {I64({2}, {large, large + 1}), I64({}, {1})}));
  ExpectTensorEq(i64[0], I64({1}, {large + 1}));
}

TEST(TopKTest, SelectsNothing) {
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> none,
                       EvaluateAll(TopKOp(), TopKAttributes(), {F32({2, 3}, {1, 2, 3, 4, 5, 6}), I64({}, {0})}));
  ExpectTensorEq(none[0], F32({2, 0}, {}));
}

TEST(TopKTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  const Dimension k = Dimension(1, 10, "k");
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> known,
                       Infer(TopKOp(), TopKAttributes(), {Known(ElementType::kF16, {n, 20}), PartialScalar(k)}));
  EXPECT_EQ(known[0].shape, PartialShape({n, k}));
  EXPECT_EQ(known[1].shape, PartialShape({n, k}));
  EXPECT_EQ(known[1].type, ElementType::kI32);
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> unknown,
      Infer(TopKOp(), TopKAttributes(), {Known(ElementType::kF16, {n, 20}), Known(ElementType::kI64, {})}));
  EXPECT_EQ(unknown[0].shape, PartialShape({n, Dimension(0, 20)}));
}

TEST(TopKTest, RejectsByConstraint) {
  const Tensor data = F32({2}, {1, 2});
  EXPECT_THAT(EvaluateAll(TopKOp(), TopKAttributes(), {data, I64({}, {3})}), StatusIs(kInvalid, HasSubstr("TopK_c1")));
  EXPECT_THAT(EvaluateAll(TopKOp(), TopKAttributes(), {data, I64({}, {-1})}), StatusIs(kInvalid, HasSubstr("TopK_c1")));
  EXPECT_THAT(EvaluateAll(TopKOp(), Make(1, TopKMode::kMax, TopKSort::kNone), {data, I64({}, {1})}),
              StatusIs(kInvalid, HasSubstr("TopK_c2")));
  TopKAttributes floats;
  floats.index_element_type = ElementType::kF32;
  EXPECT_THAT(EvaluateAll(TopKOp(), floats, {data, I64({}, {1})}), StatusIs(kInvalid, HasSubstr("TopK_c3")));
}

}  // namespace
}  // namespace burin::ir

#include "ir/ops/family/index_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/evaluate_op.h"
#include "ir/ops/op_testlib.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;

// A context without inputs or outputs, for functions that only ask whether they are cancelled.
class IndexSpaceTest : public ::testing::Test {
 protected:
  IndexSpaceTest() {
    environment_.scratch = &scratch_;
    environment_.cancelled = &cancelled_;
  }

  NoAttributes attributes_;
  HeapScratchAllocator scratch_;
  std::atomic<bool> cancelled_{false};
  ReferenceContext::Environment environment_;
  ReferenceContext context_{attributes_, {}, {}, {}, environment_};
};

TEST_F(IndexSpaceTest, WalkerVisitsRowMajor) {
  std::vector<int64_t> rows;
  std::vector<int64_t> columns;
  for (BoxWalker walker({2, 3}, {DenseView({2, 3}), {10, {1, -2}}}); !walker.done(); walker.Next()) {
    rows.push_back(walker.position(0));
    columns.push_back(walker.position(1));
  }
  EXPECT_THAT(rows, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(columns, ElementsAre(10, 8, 6, 11, 9, 7));
}

TEST_F(IndexSpaceTest, WalkerVisitsAScalarOnceAndAnEmptyBoxNever) {
  int visits = 0;
  for (BoxWalker walker({}, {}); !walker.done(); walker.Next()) ++visits;
  EXPECT_EQ(visits, 1);
  for (BoxWalker walker({int64_t{1} << 62, 0}, {}); !walker.done(); walker.Next()) ++visits;
  EXPECT_EQ(visits, 1);
}

TEST_F(IndexSpaceTest, CopiesPackedElementsAtAnyPosition) {
  const Tensor from = IntTensor(ElementType::kI4, {5}, {1, 2, 3, 4, 5});
  const Tensor to = IntTensor(ElementType::kI4, {5}, {-1, -1, -1, -1, -1});
  CopyElements(ElementType::kI4, from.data(), 1, to.mutable_data(), 2, 2);
  ExpectTensorEq(to, IntTensor(ElementType::kI4, {5}, {-1, -1, 2, 3, -1}));
  FillElements(ElementType::kI4, from.data(), 4, to.mutable_data(), 0, 3);
  ExpectTensorEq(to, IntTensor(ElementType::kI4, {5}, {5, 5, 5, 3, -1}));
}

TEST_F(IndexSpaceTest, CopyBoxFollowsBothViews) {
  const Tensor from = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor to = F32({3, 2}, {0, 0, 0, 0, 0, 0});
  // Writes from[i, j] to to[2 - j, i].
  ASSERT_OK(CopyBox(context_, {2, 3}, from, DenseView({2, 3}), to, {4, {1, -2}}));
  ExpectTensorEq(to, F32({3, 2}, {3, 6, 2, 5, 1, 4}));
}

TEST_F(IndexSpaceTest, CopyBoxOfAScalarAndOfNothing) {
  const Tensor to = I32({}, {0});
  ASSERT_OK(CopyBox(context_, {}, I32({2}, {4, 5}), {1, {}}, to, {}));
  ExpectTensorEq(to, I32({}, {5}));
  ASSERT_OK(CopyBox(context_, {0}, I32({0}, {}), DenseView({0}), to, DenseView({0})));
}

TEST_F(IndexSpaceTest, CopyBoxStopsWhenCancelled) {
  cancelled_ = true;
  const Tensor from = F32({1}, {1});
  const Tensor to = F32({1}, {0});
  EXPECT_THAT(CopyBox(context_, {10000, 1}, from, {0, {0, 0}}, to, {0, {0, 0}}),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(IndexSpaceTest, CopyMappedTakesTheFillOutside) {
  const Tensor to = F32({2, 2}, {0, 0, 0, 0});
  ASSERT_OK(CopyMapped(context_, F32({2, 2}, {1, 2, 3, 4}), {{2, kOutside}, {1, 0}}, F32({1}, {9}), to));
  ExpectTensorEq(to, F32({2, 2}, {4, 3, 9, 9}));
}

TEST_F(IndexSpaceTest, SplitsAtAnAxis) {
  const AxisSplit split = SplitAtAxis({2, 3, 4, 5}, 1);
  EXPECT_EQ(split.outer, 2);
  EXPECT_EQ(split.length, 3);
  EXPECT_EQ(split.inner, 20);
  EXPECT_EQ(ProductOf({2, 3, 4}, 1, 1), 1);
  // Products of parts of an empty shape saturate instead of overflowing.
  EXPECT_EQ(ProductOf({int64_t{1} << 40, int64_t{1} << 40, 0}, 0, 2), INT64_MAX);
  EXPECT_EQ(ProductOf({int64_t{1} << 40, int64_t{1} << 40, 0}, 0, 3), 0);
}

}  // namespace
}  // namespace burin::ir

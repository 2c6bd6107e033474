#include "ir/ops/scatter_elements_update.h"

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

ScatterElementsUpdateAttributes Reduce(ScatterReduction reduction, bool use_init_val = true) {
  ScatterElementsUpdateAttributes attributes;
  attributes.reduction = reduction;
  attributes.use_init_val = use_init_val;
  return attributes;
}

absl::StatusOr<Tensor> Updated(const ScatterElementsUpdateAttributes& attributes, const Tensor& data,
                               const Tensor& indices, const Tensor& updates, int64_t axis) {
  return Evaluate(ScatterElementsUpdateOp(), attributes, {data, indices, updates, I64({1}, {axis})});
}

// The examples are those of the operation's specification.
TEST(ScatterElementsUpdateTest, UpdatesAList) {
  const Tensor data = F32({4}, {2, 3, 4, 6});
  const Tensor updates = F32({6}, {10, 20, 30, 40, 70, 60});
  ASSERT_OK_AND_ASSIGN(const Tensor sum,
                       Updated(Reduce(ScatterReduction::kSum), data, I64({6}, {1, 0, 0, -2, -1, 2}), updates, 0));
  ExpectTensorEq(sum, F32({4}, {52, 13, 104, 76}));
  ASSERT_OK_AND_ASSIGN(const Tensor fresh,
                       Updated(Reduce(ScatterReduction::kSum, false), data, I64({6}, {1, 0, 0, 2, 3, 2}), updates, 0));
  ExpectTensorEq(fresh, F32({4}, {50, 10, 100, 70}));
}

TEST(ScatterElementsUpdateTest, UpdatesRows) {
  const Tensor indices = I32({2, 2}, {1, 1, 0, 3});
  const Tensor updates = I32({2, 2}, {11, 12, 13, 14});
  ASSERT_OK_AND_ASSIGN(const Tensor none,
                       Updated(Reduce(ScatterReduction::kNone), I32({3, 4}, std::vector<int64_t>(12, 0)),
                               I32({2, 2}, {1, 2, 0, 3}), updates, 1));
  ExpectTensorEq(none, I32({3, 4}, {0, 11, 12, 0, 13, 0, 0, 14, 0, 0, 0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor sum, Updated(Reduce(ScatterReduction::kSum),
                                                 I32({3, 4}, std::vector<int64_t>(12, 1)), indices, updates, 1));
  ExpectTensorEq(sum, I32({3, 4}, {1, 24, 1, 1, 14, 1, 1, 15, 1, 1, 1, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor product, Updated(Reduce(ScatterReduction::kProd),
                                                     I32({3, 4}, std::vector<int64_t>(12, 2)), indices, updates, 1));
  ExpectTensorEq(product, I32({3, 4}, {2, 264, 2, 2, 26, 2, 2, 28, 2, 2, 2, 2}));
}

TEST(ScatterElementsUpdateTest, UpdatesNothing) {
  ASSERT_OK_AND_ASSIGN(const Tensor same,
                       Updated(Reduce(ScatterReduction::kMax), F16({2}, {1, 2}), I64({0}, {}), F16({0}, {}), 0));
  ExpectTensorEq(same, F16({2}, {1, 2}));
}

TEST(ScatterElementsUpdateTest, KeepsTheShapeOfTheData) {
  const Dimension n = Dimension::Symbol("n");
  const PartialShape any = PartialShape::DynamicRank();
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ScatterElementsUpdateOp(), Reduce(ScatterReduction::kSum),
                                                      {Known(ElementType::kF32, {n, 2}), Known(ElementType::kI64, any),
                                                       Known(ElementType::kF32, any), Known(ElementType::kI64, {})}));
  EXPECT_EQ(info.shape, PartialShape({n, 2}));
}

TEST(ScatterElementsUpdateTest, RejectsByConstraint) {
  const ScatterElementsUpdateAttributes none;
  const Tensor data = F32({2, 1}, {1, 2});
  const Tensor zero = I64({1, 1}, {0});
  const Tensor update = F32({1, 1}, {1});
  const auto rejects = [](const absl::StatusOr<Tensor>& result, const char* label) {
    EXPECT_THAT(result, StatusIs(kInvalid, HasSubstr(label)));
  };
  rejects(Updated(none, data, F32({1, 1}, {0}), update, 0), "ScatterElementsUpdate_c1");
  rejects(Updated(none, data, I64({1}, {0}), F32({1}, {1}), 0), "ScatterElementsUpdate_c1");
  rejects(Updated(none, data, zero, update, 2), "ScatterElementsUpdate_c2");
  rejects(Updated(none, data, zero, I32({1, 1}, {1}), 0), "ScatterElementsUpdate_c3");
  rejects(Updated(none, data, zero, F32({2, 1}, {1, 1}), 0), "ScatterElementsUpdate_c3");
  rejects(Updated(none, data, I64({1, 2}, {0, 0}), F32({1, 2}, {1, 1}), 0), "ScatterElementsUpdate_c4");
  rejects(Updated(Reduce(ScatterReduction::kSub), data, zero, update, 0), "ScatterElementsUpdate_c5");
  rejects(Updated(Reduce(ScatterReduction::kMean), Bool({1}, {1}), I64({1}, {0}), Bool({1}, {1}), 0),
          "ScatterElementsUpdate_c5");
  rejects(Updated(none, data, I64({1, 1}, {2}), update, 0), "ScatterElementsUpdate_c6");
}

}  // namespace
}  // namespace burin::ir

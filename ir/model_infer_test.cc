#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

TEST(ModelInferTest, InfersOnwardOnlyWhereSomethingChanges) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
  const Value y = *model.AddParameter("y", ElementType::kF32, PartialShape{5});
  const Value a = *model.Add(ReluOp(), {x}, nullptr, "a");
  const Value b = *model.Add(AddOp(), {a, a}, nullptr, "b");
  ASSERT_OK_AND_ASSIGN(const NodeId result, model.AddResult(b, "out"));
  model.SetInput(Use{a.node, 0}, y);
  EXPECT_EQ(model.info(b).shape, (PartialShape{2}));
  ASSERT_OK(model.InferFrom({a.node}));
  EXPECT_EQ(model.info(b).shape, (PartialShape{5}));
  EXPECT_EQ(model.node(result).output(0).shape, (PartialShape{5}));
}

TEST(ModelInferTest, PutsBackWhatItInferredWhereANodeRefuses) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
  const Value y = *model.AddParameter("y", ElementType::kF32, PartialShape{5});
  const Value a = *model.Add(ReluOp(), {x}, nullptr, "a");
  const Value b = *model.Add(AddOp(), {a, x}, nullptr, "b");
  model.SetInput(Use{a.node, 0}, y);
  EXPECT_THAT(model.InferFrom({a.node}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'b' (Add)")));
  EXPECT_EQ(model.info(a).shape, (PartialShape{2}));
  EXPECT_THAT(model.InferAll(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'b' (Add)")));
  EXPECT_EQ(model.info(a).shape, (PartialShape{2}));
  EXPECT_EQ(model.info(b).shape, (PartialShape{2}));
}

TEST(ModelInferTest, ReshapesParametersOrStaysUnchanged) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{Dimension(), 3});
  ASSERT_OK_AND_ASSIGN(const Value c, model.AddConstant(F32({3}, {1, 2, 3})));
  const Value sum = *model.Add(AddOp(), {x, c}, nullptr, "sum");
  using Shapes = absl::flat_hash_map<int64_t, PartialShape>;
  ASSERT_OK(model.Reshape(Shapes{{0, PartialShape{8, 3}}}));
  EXPECT_EQ(model.info(sum).shape, (PartialShape{8, 3}));
  EXPECT_EQ(model.node(x.node).attributes_as<ParameterAttributes>().shape, (PartialShape{8, 3}));
  EXPECT_THAT(model.Reshape(Shapes{{0, PartialShape{8, 4}}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'sum' (Add)")));
  EXPECT_THAT(model.Reshape(Shapes{{0, PartialShape{-8, 3}}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.Reshape(Shapes{{1, PartialShape{3}}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.Reshape(Shapes{{-1, PartialShape{3}}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(model.info(sum).shape, (PartialShape{8, 3}));
  EXPECT_EQ(model.node(x.node).attributes_as<ParameterAttributes>().shape, (PartialShape{8, 3}));
}

TEST(ModelInferTest, InfersResultsFromGivenParametersWithoutChanging) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{Dimension(), 3});
  const Value y = *model.AddParameter("y", ElementType::kF32, PartialShape{1});
  const Value sum = *model.Add(AddOp(), {x, y}, nullptr, "sum");
  ASSERT_OK(model.AddResult(sum, "out"));
  const ValueInfo given = Known(ElementType::kF32, {7, 3});
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> infos, model.InferResults({&given, nullptr}));
  ASSERT_EQ(infos.size(), 1u);
  EXPECT_EQ(infos[0].shape, (PartialShape{7, 3}));
  EXPECT_EQ(model.info(sum).shape, (PartialShape{Dimension(), 3}));
  const ValueInfo wrong_type = Known(ElementType::kF16, {7, 3});
  EXPECT_THAT(model.InferResults({&wrong_type, nullptr}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'x'")));
  const ValueInfo wrong_shape = Known(ElementType::kF32, {7, 4});
  EXPECT_THAT(model.InferResults({&wrong_shape, nullptr}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'x'")));
  EXPECT_THAT(model.InferResults({&given}), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::ir

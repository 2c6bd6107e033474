#include "snippets/testing/body_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;

TEST(BodyDraftTest, FitsByAClampWhereNeeded) {
  BodyDraft draft({3, 4}, {}, 1);
  const DraftId x = draft.WholeOperand(ElementType::kF32);
  EXPECT_EQ(draft.Fit(x, -4, 4), x);
  const DraftId fitted = draft.Fit(x, 0, 1);
  EXPECT_NE(fitted, x);
  EXPECT_EQ(draft.body().node(draft.at(fitted).value.node).code(), ir::OpCode::kClamp);
  EXPECT_EQ(draft.at(fitted).low, 0);
  EXPECT_EQ(draft.at(fitted).high, 1);
}

TEST(BodyDraftTest, OperandsBroadcastToTheSpace) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    BodyDraft draft({3, 4, 5}, {}, seed);
    const DraftId x = draft.Operand(ElementType::kI8);
    const DraftId y = draft.Operand(ElementType::kI8);
    const DraftId sum = draft.Apply(ir::AddOp(), {x, y}, -128, 127);
    const ir::Shape& shape = draft.at(sum).shape;
    ASSERT_LE(shape.size(), 3);
    for (size_t i = 0; i < shape.size(); ++i) {
      EXPECT_TRUE(shape[i] == 1 || shape[i] == draft.space()[3 - shape.size() + i]) << "seed " << seed;
    }
  }
}

TEST(BodyDraftTest, WhatNobodyReadsIsJoinedOrAResult) {
  BodyDraft draft({8}, {}, 3);
  std::vector<DraftId> values;
  for (int i = 0; i < 6; ++i) {
    values.push_back(draft.NewOperand(i % 2 == 0 ? ElementType::kF32 : ElementType::kBoolean, {8}, 0, 1));
  }
  draft.Join(2);
  std::vector<InputRange> ranges;
  const std::unique_ptr<ir::Model> body = draft.Finish(&ranges);
  EXPECT_OK(ir::Verify(*body));
  EXPECT_EQ(ranges.size(), body->parameters().size());
  EXPECT_GE(body->results().size(), 2);
}

TEST(BodyDraftTest, ParametersKnowTheirAxes) {
  BodyDraft::Style style;
  style.dynamic = true;
  BodyDraft draft({3, 1, 5}, style, 2);
  while (draft.ParameterAxes().empty()) draft.NewOperand(ElementType::kF32, {1, 5}, 0, 1);
  const std::vector<int> axes = draft.ParameterAxes().front();
  EXPECT_THAT(axes, ::testing::AnyOf(ElementsAre(-1, 2), ElementsAre(2, -1)));
  while (draft.ParameterAxes().size() < 2) draft.NewOperand(ElementType::kF32, {5}, 0, 1, 2);
  for (const std::vector<int>& all : draft.ParameterAxes()) {
    for (const int axis : all) EXPECT_EQ(axis, -1) << "an axis that is fixed";
  }
}

}  // namespace
}  // namespace burin::snippets

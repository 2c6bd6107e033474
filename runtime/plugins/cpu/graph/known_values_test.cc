#include "runtime/plugins/cpu/graph/known_values.h"

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::HasSubstr;

// The rows of x that are not 0, and their number.
constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n]}
  %1 "where" = NonZero(%0) {output_type = i64}
  %2 "abs" = Abs(%1)
  %3 "shape" = ShapeOf(%2) {output_type = i64}
  %4 "y" = Result(%2)
  %5 "z" = Result(%3)
})";

class KnownValuesTest : public ::testing::Test {
 protected:
  absl::StatusOr<KnownValues> Infer(const KnownValues::Given& given) {
    return KnownValues::Infer(*model_, model_->TopologicalOrder().value(), given);
  }
  static ir::ValueInfo Info(ElementType type, const ir::PartialShape& shape) {
    ir::ValueInfo info;
    info.type = type;
    info.shape = shape;
    return info;
  }

  static constexpr ir::NodeId kX{0}, kWhere{1}, kAbs{2}, kShape{3};
  const std::unique_ptr<ir::Model> model_ = ir::ParseModel(kModel).value();
};

TEST_F(KnownValuesTest, WhatIsGivenIsInferredFrom) {
  ASSERT_OK_AND_ASSIGN(const KnownValues known, Infer({{{kX, 0}, Info(ElementType::kF32, ir::PartialShape{7})}}));
  EXPECT_EQ(known.info({kX, 0}).shape, ir::PartialShape{7});
  EXPECT_TRUE(known.info({kAbs, 0}).shape.is_dynamic());
  EXPECT_FALSE(known.AreConstant(kShape));
}

TEST_F(KnownValuesTest, WhatIsGivenOfAComputedValueCounts) {
  const KnownValues::Given given = {{{kX, 0}, Info(ElementType::kF32, ir::PartialShape{7})},
                                    {{kWhere, 0}, Info(ElementType::kI64, ir::PartialShape{1, 3})}};
  ASSERT_OK_AND_ASSIGN(const KnownValues known, Infer(given));
  EXPECT_EQ(known.info({kAbs, 0}).shape, (ir::PartialShape{1, 3}));
  ASSERT_TRUE(known.IsConstant({kShape, 0}));
  EXPECT_TRUE(known.AreConstant(kShape));
  EXPECT_EQ(known.info({kShape, 0}).constant.data_as<int64_t>()[1], 3);
}

TEST_F(KnownValuesTest, RecordedIsWhatTheModelSays) {
  const KnownValues known = KnownValues::Recorded(*model_);
  for (const ir::NodeId id : model_->NodeIds()) {
    ASSERT_EQ(known.outputs(id).size(), static_cast<size_t>(model_->node(id).output_count()));
    for (int32_t i = 0; i < model_->node(id).output_count(); ++i) {
      EXPECT_EQ(known.info({id, i}), model_->info({id, i}));
    }
  }
}

TEST_F(KnownValuesTest, ABodyThatMayNotRunRefusesNothing) {
  const std::unique_ptr<ir::Model> model = ir::ParseModel(R"(model "" {
    %0 "c" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {element_type = f32, shape = [n]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "a" = Parameter() {element_type = f32, shape = [?]}
        %1 "w" = Constant() {value = f32[3]{1, 2, 3}}
        %2 "sum" = Add(%0, %1)
        %3 "r" = Result(%2)
      }
      model "else" {
        %0 "a" = Parameter() {element_type = f32, shape = [?]}
        %1 "r" = Result(%0)
      }
    %3 "y" = Result(%2)
  })")
                                               .value();
  const KnownValues::Given given = {{{ir::NodeId{0}, 0}, Info(ElementType::kBoolean, ir::PartialShape{})},
                                    {{ir::NodeId{1}, 0}, Info(ElementType::kF32, ir::PartialShape{5})}};
  ASSERT_OK_AND_ASSIGN(const KnownValues known, KnownValues::Infer(*model, model->TopologicalOrder().value(), given));
  EXPECT_EQ(known.info({ir::NodeId{2}, 0}), model->info({ir::NodeId{2}, 0}));
}

TEST_F(KnownValuesTest, ANodeThatRefusesItsInputsIsNamed) {
  const std::unique_ptr<ir::Model> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n]}
    %1 "w" = Parameter() {element_type = f32, shape = [m]}
    %2 "sum" = Add(%0, %1)
    %3 "y" = Result(%2)
  })")
                                               .value();
  const KnownValues::Given given = {{{kX, 0}, Info(ElementType::kF32, ir::PartialShape{7})},
                                    {{kWhere, 0}, Info(ElementType::kF32, ir::PartialShape{5})}};
  EXPECT_THAT(KnownValues::Infer(*model, model->TopologicalOrder().value(), given).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Node 'sum' (Add)")));
}

}  // namespace
}  // namespace burin::cpu

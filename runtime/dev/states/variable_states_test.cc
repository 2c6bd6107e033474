#include "runtime/dev/states/variable_states.h"

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "runtime/dev/sync_infer_request.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;

class VariableStatesTest : public ::testing::Test {
 protected:
  static ir::Tensor Filled(const ir::Shape& shape, float value) {
    ir::Tensor tensor = ir::Tensor::Create(ElementType::kF32, shape).value();
    for (int64_t i = 0; i < tensor.element_count(); ++i) tensor.mutable_data_as<float>()[i] = value;
    return tensor;
  }

  const std::shared_ptr<ir::MapVariableStore> store_ = std::make_shared<ir::MapVariableStore>();
  const std::vector<std::shared_ptr<IVariableState>> states_ =
      MakeVariableStates({{"past", ElementType::kF32, ir::PartialShape{ir::Dimension(), 2}},
                          {"step", ElementType::kI64, ir::PartialShape{}}},
                         store_);
};

TEST_F(VariableStatesTest, AreNamedInTheOrderOfTheModel) {
  ASSERT_EQ(states_.size(), 2U);
  EXPECT_EQ(states_[0]->name(), "past");
  EXPECT_EQ(states_[1]->name(), "step");
}

TEST_F(VariableStatesTest, WhatIsSetIsCopiedInAndOut) {
  const ir::Tensor value = Filled({3, 2}, 7);
  ASSERT_OK(states_[0]->SetState(value));
  value.mutable_data_as<float>()[0] = 1;
  ASSERT_OK_AND_ASSIGN(const ir::Tensor first, states_[0]->GetState());
  EXPECT_EQ(first.data_as<float>()[0], 7);
  first.mutable_data_as<float>()[0] = 2;
  EXPECT_EQ(store_->Find("past")->data_as<float>()[0], 7);
}

TEST_F(VariableStatesTest, HaveNoValueAtFirstAndAfterAReset) {
  EXPECT_THAT(states_[0]->GetState(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("past")));
  ASSERT_OK(states_[0]->SetState(Filled({1, 2}, 1)));
  ASSERT_OK(states_[0]->Reset());
  EXPECT_THAT(states_[0]->GetState(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(store_->Find("past"), nullptr);
}

TEST_F(VariableStatesTest, RefuseWhatTheVariableCannotHold) {
  EXPECT_THAT(states_[0]->SetState(Filled({2, 3}, 1)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected f32[?,2], given f32[2,3]")));
  EXPECT_THAT(states_[1]->SetState(Filled({}, 1)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("step")));
  EXPECT_THAT(states_[0]->SetState(ir::Tensor()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no tensor")));
}

}  // namespace
}  // namespace burin

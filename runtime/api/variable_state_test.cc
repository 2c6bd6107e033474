#include "burin/variable_state.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "burin/compiled_model.h"
#include "burin/core.h"
#include "burin/infer_request.h"
#include "burin/model.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/assign.h"
#include "ir/ops/ops.h"
#include "ir/ops/read_value.h"
#include "runtime/api/toy_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// total += x, previous = the former last, last = x; y = the new total. All f32[1,3], starting from zeros.
Model TwoVariables() {
  auto graph = std::make_shared<ir::Model>("variables");
  const PartialShape shape({1, 3});
  const ir::Value x = graph->AddParameter("x", ElementType::kF32, shape).value();
  const auto read = [&](const std::string& id) {
    EXPECT_OK(graph->AddVariable({id, ElementType::kF32, shape}));
    auto attributes = std::make_unique<ir::ReadValueAttributes>();
    attributes->variable_id = id;
    attributes->variable_type = ElementType::kF32;
    attributes->variable_shape = shape;
    return graph->Add(ir::ReadValueOp(), {}, std::move(attributes)).value();
  };
  const auto assign = [&](const std::string& id, ir::Value value) {
    auto attributes = std::make_unique<ir::AssignAttributes>();
    attributes->variable_id = id;
    EXPECT_OK(graph->Add(ir::AssignOp(), {value}, std::move(attributes)));
  };
  const ir::Value total = graph->Add(ir::AddOp(), {read("total"), x}).value();
  assign("total", total);
  EXPECT_OK(graph->AddResult(total, "y"));
  EXPECT_OK(graph->AddResult(read("last"), "previous"));
  assign("last", x);
  return Model(graph);
}

class VariableStateTest : public ::testing::Test {
 protected:
  InferRequest Request() { return compiled_.CreateInferRequest().value(); }
  std::vector<float> Infer(InferRequest& request, const std::vector<float>& values) {
    EXPECT_OK(request.SetTensor("x", Row(values)));
    EXPECT_OK(request.Infer());
    return Elements(request.GetTensor("y").value());
  }

  Core core_;
  CompiledModel compiled_ = core_.CompileModel(TwoVariables(), "REFERENCE").value();
};

TEST_F(VariableStateTest, IsReadSetAndForgotten) {
  InferRequest request = Request();
  ASSERT_OK_AND_ASSIGN(std::vector<VariableState> states, request.QueryState());
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].name(), "total");
  EXPECT_EQ(states[1].name(), "last");
  EXPECT_THAT(states[0].GetState(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("total")));

  EXPECT_THAT(Infer(request, {1, 2, 3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(Infer(request, {1, 1, 1}), ElementsAre(2, 3, 4));
  EXPECT_THAT(Elements(states[0].GetState().value()), ElementsAre(2, 3, 4));
  EXPECT_THAT(Elements(states[1].GetState().value()), ElementsAre(1, 1, 1));
  EXPECT_THAT(Elements(request.GetTensor("previous").value()), ElementsAre(1, 2, 3));

  ASSERT_OK(states[0].SetState(Row({100, 100, 100})));
  EXPECT_THAT(Infer(request, {1, 2, 3}), ElementsAre(101, 102, 103));
  ASSERT_OK(states[0].Reset());  // And not the other.
  EXPECT_THAT(states[0].GetState(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(Elements(states[1].GetState().value()), ElementsAre(1, 2, 3));
  EXPECT_THAT(Infer(request, {5, 5, 5}), ElementsAre(5, 5, 5));
}

TEST_F(VariableStateTest, RefusesWhatDoesNotFitAndKeepsTheValue) {
  InferRequest request = Request();
  Infer(request, {1, 2, 3});
  VariableState total = request.QueryState().value()[0];
  EXPECT_THAT(total.SetState(Row({1, 2, 3, 4, 5, 6})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected f32[1,3], given f32[2,3]")));
  EXPECT_THAT(total.SetState(Tensor()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no tensor")));
  EXPECT_THAT(Elements(total.GetState().value()), ElementsAre(1, 2, 3));
}

TEST_F(VariableStateTest, EachRequestHasItsOwn) {
  InferRequest a = Request();
  InferRequest b = Request();
  Infer(a, {1, 1, 1});
  EXPECT_THAT(Infer(b, {10, 10, 10}), ElementsAre(10, 10, 10));
  EXPECT_THAT(Infer(a, {1, 1, 1}), ElementsAre(2, 2, 2));
}

TEST_F(VariableStateTest, ResetStateForgetsAll) {
  InferRequest request = Request();
  Infer(request, {1, 2, 3});
  ASSERT_OK(request.ResetState());
  ASSERT_OK_AND_ASSIGN(const std::vector<VariableState> states, request.QueryState());
  ASSERT_EQ(states.size(), 2u);
  for (const VariableState& state : states) {
    EXPECT_THAT(state.GetState(), StatusIs(absl::StatusCode::kFailedPrecondition)) << state.name();
  }
  EXPECT_THAT(Infer(request, {1, 1, 1}), ElementsAre(1, 1, 1));
  EXPECT_THAT(Elements(request.GetTensor("previous").value()), ElementsAre(0, 0, 0));
}

TEST_F(VariableStateTest, StatelessModelsHaveNone) {
  ASSERT_OK_AND_ASSIGN(const CompiledModel toy, core_.CompileModel(ToyModel()));
  ASSERT_OK_AND_ASSIGN(InferRequest request, toy.CreateInferRequest());
  EXPECT_THAT(request.QueryState().value(), IsEmpty());
  EXPECT_OK(request.ResetState());
}

}  // namespace
}  // namespace burin

#include "runtime/plugins/cpu/segments/segment_runner.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/segments/run_variables.h"
#include "runtime/plugins/cpu/segments/segments_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::string_view kWhere = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n]}
  %1 "floor" = Floor(%0)
  %2 "where" = NonZero(%1) {output_type = i64}
  %3 "neg" = Negative(%2)
  %4 "sqrt" = Sqrt(%0)
  %5 "y" = Result(%3)
  %6 "z" = Result(%4)
  %7 "same" = Result(%0)
  %8 "found" = Result(%2)
})";

TEST(SegmentRunnerTest, RunsWhatOnlyTheDataTells) {
  SegmentedModel model(kWhere);
  model.ExpectReference({ir::F32({4}, {0.5, 2, 0, 3})});
  model.ExpectReference({ir::F32({4}, {0, 0.25, 0, 0})});
  model.ExpectReference({ir::F32({4}, {1, 2, 3, 4})});
  model.ExpectReference({ir::F32({2}, {1, 2})});
  model.ExpectReference({ir::F32({0}, {})});
}

// x is divided into rows as many as its last dimension's first element says; the rows are added up.
constexpr absl::string_view kRows = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n]}
  %1 "rows" = Parameter() {element_type = i64, shape = [1]}
  %2 "minus one" = Constant() {value = i64[1]{-1}}
  %3 "target" = Concat(%1, %2) {axis = 0}
  %4 "shaped" = Reshape(%0, %3) {special_zero = false}
  %5 "axis" = Constant() {value = i64[1]{0}}
  %6 "sum" = ReduceSum(%4, %5) {keep_dims = false}
  %7 "y" = Result(%6)
})";

TEST(SegmentRunnerTest, ShapesThatAreInputsCount) {
  SegmentedModel model(kRows);
  const ir::Tensor x = ir::F32({6}, {1, 2, 3, 4, 5, 6});
  model.ExpectReference({x, ir::I64({1}, {2})});
  model.ExpectReference({x, ir::I64({1}, {3})});
  model.ExpectReference({x, ir::I64({1}, {2})});
  std::vector<ir::Tensor> results;
  EXPECT_THAT(model.Infer({x, ir::I64({1}, {4})}, &results),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("shaped")));
}

TEST(SegmentRunnerTest, BodiesRunInSegmentsOfTheirOwn) {
  SegmentedModel model(kChoiceModel);
  for (int round = 0; round < 2; ++round) {
    model.ExpectReference({ir::Bool({}, {1}), ir::F32({3}, {1, 2, 3})});
    model.ExpectReference({ir::Bool({}, {0}), ir::F32({3}, {1, 2, 3})});
    model.ExpectReference({ir::Bool({}, {0}), ir::F32({2}, {1, 2})});
  }
}

// Doubles v, and appends it to what comes out, as long as the sum of v is below the limit.
constexpr absl::string_view kLoop = R"(model "" {
  %0 "v" = Parameter() {element_type = f32, shape = [2]}
  %1 "limit" = Parameter() {element_type = f32, shape = []}
  %2 "trips" = Constant() {value = i64[]{-1}}
  %3 "go" = Constant() {value = boolean[]{1}}
  %4 "loop" = Loop(%2, %3, %0, %1) {parameter_inputs = [2, 3], back_edges = [1, -1], condition_result = 0, )"
                                    R"(output_results = [1, 1], concatenations = [1, 0, 1]}
    model "body" {
      %0 "v" = Parameter() {element_type = f32, shape = [2]}
      %1 "limit" = Parameter() {element_type = f32, shape = []}
      %2 "sum" = Add(%0, %0)
      %3 "axis" = Constant() {value = i64[1]{0}}
      %4 "total" = ReduceSum(%2, %3) {keep_dims = false}
      %5 "less" = Less(%4, %1)
      %6 "go on" = Result(%5)
      %7 "v2" = Result(%2)
    }
  %5 "all" = Negative(%4.1)
  %6 "y" = Result(%4)
  %7 "z" = Result(%5)
})";

TEST(SegmentRunnerTest, WhatALoopCarriesIsNotWrittenOver) {
  SegmentedModel model(kLoop);
  const std::vector<ir::Tensor> long_run = model.ExpectReference({ir::F32({2}, {1, 2}), ir::F32({}, {100})});
  const ir::Tensor kept = long_run[1].Copy().value();
  model.ExpectReference({ir::F32({2}, {5, 2}), ir::F32({}, {100})});
  model.ExpectReference({ir::F32({2}, {1, 2}), ir::F32({}, {1})});
  ir::ExpectTensorEq(long_run[1], kept);
}

TEST(SegmentRunnerTest, ResultsThatAreHeldStay) {
  SegmentedModel model(kWhere);
  std::vector<ir::Tensor> first;
  ASSERT_OK(model.Infer({ir::F32({2}, {1, 4})}, &first));
  std::vector<ir::Tensor> second;
  ASSERT_OK(model.Infer({ir::F32({2}, {9, 16})}, &second));
  ir::ExpectTensorEq(first[1], ir::F32({2}, {1, 2}));
  ir::ExpectTensorEq(second[1], ir::F32({2}, {3, 4}));
}

constexpr absl::string_view kCounter = R"(model "" {
  variable "v" : f32[2]
  sinks(%3)
  %0 "x" = Parameter() {element_type = f32, shape = [2]}
  %1 "read" = ReadValue() {variable_id = "v", variable_type = f32, variable_shape = [2]}
  %2 "sum" = Add(%1, %0)
  %3 "assign" = Assign(%2) {variable_id = "v"}
  %4 "y" = Result(%2)
})";

TEST(SegmentRunnerTest, VariablesAreReadAndAssigned) {
  SegmentedModel model(kCounter);
  ir::MapVariableStore store;
  std::vector<ir::Tensor> results;
  for (const double expected : {1, 2, 3}) {
    RunVariables variables(&store);
    ASSERT_OK(model.Infer({ir::F32({2}, {1, 10})}, &results, &variables));
    variables.Commit();
    ir::ExpectTensorEq(results[0], ir::F32({2}, {expected, 10 * expected}));
  }
  ir::ExpectTensorEq(*store.Find("v"), ir::F32({2}, {3, 30}));
}

TEST(SegmentRunnerTest, ErrorsNameTheNode) {
  SegmentedModel model(R"(model "" {
    %0 "c" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {element_type = f32, shape = [6]}
    %2 "rows" = Parameter() {element_type = i64, shape = [2]}
    %3 "if" = If(%0, %1, %2) {then_inputs = [1, 2], else_inputs = [1]}
      model "then" {
        %0 "a" = Parameter() {element_type = f32, shape = [6]}
        %1 "rows" = Parameter() {element_type = i64, shape = [2]}
        %2 "inner" = Reshape(%0, %1) {special_zero = false}
        %3 "r" = Result(%2)
      }
      model "else" {
        %0 "a" = Parameter() {element_type = f32, shape = [6]}
        %1 "r" = Result(%0)
      }
    %4 "y" = Result(%3)
  })");
  const ir::Tensor x = ir::F32({6}, {1, 2, 3, 4, 5, 6});
  std::vector<ir::Tensor> results;
  EXPECT_THAT(model.Infer({ir::Bool({}, {1}), x, ir::I64({2}, {4, 4})}, &results),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("Node 'if' (If)"), HasSubstr("inner"))));
  model.ExpectReference({ir::Bool({}, {1}), x, ir::I64({2}, {2, 3})});
  model.ExpectReference({ir::Bool({}, {0}), x, ir::I64({2}, {4, 4})});
}

TEST(SegmentRunnerTest, TellsOfWhatHasRun) {
  class Names final : public SegmentObserver {
   public:
    void RanStep(const PlannedStep& step, int64_t) override { names.push_back(step.name); }
    void RanCut(const ir::Node& node, int64_t) override { names.push_back(node.name()); }
    std::vector<std::string> names;
  };
  SegmentedModel model(kChoiceModel);
  Names observer;
  std::vector<ir::Tensor> results;
  ASSERT_OK(model.Infer({ir::Bool({}, {1}), ir::F32({3}, {1, 2, 3})}, &results, nullptr, &observer));
  EXPECT_THAT(observer.names, ElementsAre("exp", "if", "neg"));
}

TEST(SegmentRunnerTest, ManyShapesAreForgottenAgain) {
  SegmentedModel model(kWhere, /*most_bytes=*/100000);
  for (int64_t n = 1; n <= 100; ++n) {
    std::vector<double> values(static_cast<size_t>(n), 1);
    model.ExpectReference({ir::F32({n}, values)});
  }
  model.ExpectReference({ir::F32({1}, {1})});
  EXPECT_LE(model.plans().bytes(), 100000);
}

}  // namespace
}  // namespace burin::cpu

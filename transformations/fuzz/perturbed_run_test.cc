#include "transformations/fuzz/perturbed_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>

#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/fuzz/fuzz_case.h"
#include "transformations/fuzz/result_comparison.h"

namespace burin::transformations {
namespace {

TEST(PerturbedRunTest, MovesOutputsAsFarAsRoundingCould) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f64, shape = [2]}
    %1 "one" = Constant() {value = f64[]{1}}
    %2 "near" = Add(%0, %1)
    %3 "cancelled" = Subtract(%2, %1)
    %4 "out" = Result(%2)
    %5 "cancelled_out" = Result(%3)
  })"));
  std::mt19937_64 random(1);
  const RunSeries inputs = {{ir::F64({2}, {1e-6, 2e-6})}};
  ASSERT_OK_AND_ASSIGN(const RunSeries outputs, PerturbedRun(*model, inputs, 4, random));
  EXPECT_GT(DistanceInUnits(outputs[0][0], ir::F64({2}, {1 + 1e-6, 1 + 2e-6})), 0);
  EXPECT_LT(DistanceInUnits(outputs[0][0], ir::F64({2}, {1 + 1e-6, 1 + 2e-6})), 20);
  EXPECT_GT(DistanceInUnits(outputs[0][1], inputs[0][0]), 1e4);
  ASSERT_OK_AND_ASSIGN(const RunSeries exact, PerturbedRun(*model, inputs, 0, random));
  ir::ExpectTensorEq(exact[0][0], ir::F64({2}, {1 + 1e-6, 1 + 2e-6}));
}

TEST(PerturbedRunTest, CrossesAnEdgeThatAValueLiesOn) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f64, shape = []}
    %1 "y" = Floor(%0)
    %2 "c" = Convert(%1) {destination_type = i64}
    %3 "out" = Result(%2)
  })"));
  std::mt19937_64 random(1);
  std::set<int64_t> seen;
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK_AND_ASSIGN(const RunSeries outputs, PerturbedRun(*model, {{ir::F64({}, {3})}}, 4, random));
    seen.insert(ir::Ints(outputs[0][0])[0]);
  }
  EXPECT_EQ(seen, (std::set<int64_t>{2, 3}));
}

TEST(PerturbedRunTest, CarriesVariablesFromRunToRun) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    variable "v" : i64[1]
    %0 "x" = Parameter() {element_type = i64, shape = [1]}
    %1 "old" = ReadValue(%0) {variable_id = "v"}
    %2 "sum" = Add(%1, %0)
    %3 "a" = Assign(%2) {variable_id = "v"}
    %4 "out" = Result(%1)
  })"));
  std::mt19937_64 random(1);
  const std::vector<ir::Tensor> once = {ir::I64({1}, {5})};
  ASSERT_OK_AND_ASSIGN(const RunSeries outputs, PerturbedRun(*model, {once, once}, 4, random));
  ir::ExpectTensorEq(outputs[0][0], ir::I64({1}, {5}));
  ir::ExpectTensorEq(outputs[1][0], ir::I64({1}, {10}));
}

}  // namespace
}  // namespace burin::transformations

#include "tools/bisect/comparison.h"

#include <cmath>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "runtime/api/core.h"
#include "testing/gtest/status_matchers.h"
#include "tools/check/checker.h"

namespace burin::bisect {
namespace {

using testing::HasSubstr;
using Tensors = std::vector<ir::Tensor>;

constexpr char kText[] = R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "r" = Relu(%0)
  %2 "out" = Result(%1)
})";

ir::Tensor Pair(float a, float b) {
  ir::Tensor tensor = *ir::Tensor::Create(ElementType::kF32, {2});
  tensor.mutable_data_as<float>()[0] = a;
  tensor.mutable_data_as<float>()[1] = b;
  return tensor;
}

TEST(ComparisonTest, JudgesByTheBound) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kText));
  check::Bound bound;
  bound.relative = 0.01;
  EXPECT_FALSE(Compare(*model, Tensors{Pair(1, 2.01f)}, {Pair(1, 2)}, bound).parts);
  const Parting parting = Compare(*model, Tensors{Pair(1, 2.1f)}, {Pair(1, 2)}, bound);
  EXPECT_TRUE(parting.parts);
  EXPECT_THAT(parting.how, HasSubstr("FAILED"));
  EXPECT_TRUE(Compare(*model, Tensors{Pair(1, NAN)}, {Pair(1, 2)}, bound).parts);
  EXPECT_TRUE(Compare(*model, Tensors{Pair(1, INFINITY)}, {Pair(1, 2)}, bound).parts);
  EXPECT_FALSE(Compare(*model, Tensors{Pair(1, NAN)}, {Pair(1, NAN)}, bound).parts);
}

TEST(ComparisonTest, ErrorsAndOtherNumbersPart) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kText));
  const Parting error = Compare(*model, absl::UnimplementedError("no kernel"), {Pair(1, 2)}, {});
  EXPECT_TRUE(error.parts);
  EXPECT_THAT(error.how, HasSubstr("does not run: no kernel"));
  EXPECT_TRUE(Compare(*model, Tensors{}, {Pair(1, 2)}, {}).parts);
}

TEST(ComparisonTest, RunsModelsWithVariablesTwice) {
  Core core;
  const RunModel run = RunOnDevice(&core, "REFERENCE");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> plain, ir::ParseModel(kText));
  ASSERT_OK_AND_ASSIGN(const Tensors once, run(*plain, {Pair(-1, 2)}));
  ASSERT_EQ(once.size(), 1u);
  EXPECT_TRUE(ir::BitwiseEqual(once[0], Pair(0, 2)));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> stateful, ir::ParseModel(R"(model "" {
    variable "v" : f32[2]
    %0 "x" = Parameter() {shape = [2]}
    %1 "read" = ReadValue(%0) {variable_id = "v"}
    %2 "negative" = Negative(%0)
    %3 "assign" = Assign(%2) {variable_id = "v"}
    %4 "out" = Result(%1)
  })"));
  ASSERT_OK_AND_ASSIGN(const Tensors twice, run(*stateful, {Pair(1, 2)}));
  ASSERT_EQ(twice.size(), 2u);
  EXPECT_TRUE(ir::BitwiseEqual(twice[0], Pair(1, 2)));
  EXPECT_TRUE(ir::BitwiseEqual(twice[1], Pair(-1, -2)));
  EXPECT_THAT(run(*plain, {}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has 1 inputs; given are 0")));
}

}  // namespace
}  // namespace burin::bisect

#include "transformations/fuzz/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/fuzz/case_check.h"
#include "transformations/fuzz/fuzz_case.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/pass.h"

namespace burin::transformations {
namespace {

using ir::Model;
using ir::NodeId;
using ir::Value;

// Wrong: Relu(a + b) => a + b.
absl::StatusOr<std::optional<ir::Patch>> DropReluOfAdd(const Model& model, NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kRelu) return std::nullopt;
  if (model.node(node.input(0).node).code() != ir::OpCode::kAdd) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace(Value{id, 0}, node.input(0));
  return patch;
}

TEST(ShrinkTest, MakesAPlantedBugSmallAndNamesIt) {
  const Pass pass{"DropReluOfAdd", "", &DropReluOfAdd};
  CheckOptions options;
  options.extra_groups = {{&pass}};
  int wrong = 0;
  for (uint64_t seed = 1; seed <= 200 && wrong < 5; ++seed) {
    SCOPED_TRACE(seed);
    const FuzzCase fuzz_case = MakeFuzzCase(seed, 20, AllGrowers());
    if (CheckCase(fuzz_case, options).verdict != Verdict::kWrong) continue;
    ++wrong;
    const FuzzCase small = Shrink(fuzz_case, options);
    EXPECT_EQ(CheckCase(small, options).verdict, Verdict::kWrong);
    EXPECT_EQ(CheckCase(small).verdict, Verdict::kSame);
    ASSERT_OK_AND_ASSIGN(const std::string text, ir::PrintModel(*small.model));
    // Two operands, Add, Relu and Result, and now and then what nothing can take the place of.
    EXPECT_LE(small.model->node_count(), 8) << text;
    EXPECT_EQ(small.samples.size(), 1u);
    EXPECT_THAT(FirstWrongRewrite(small, options), testing::HasSubstr("DropReluOfAdd at Relu"));
  }
  EXPECT_EQ(wrong, 5);
}

// Wrong, and only where there is a Tanh: Relu(x) => x.
absl::StatusOr<std::optional<ir::Patch>> DropReluBesideTanh(const Model& model, NodeId id, const ir::PassContext&) {
  if (model.node(id).code() != ir::OpCode::kRelu) return std::nullopt;
  for (const NodeId other : model.NodeIds()) {
    if (model.node(other).code() != ir::OpCode::kTanh) continue;
    ir::Patch patch(model);
    patch.Replace(Value{id, 0}, model.node(id).input(0));
    return patch;
  }
  return std::nullopt;
}

TEST(ShrinkTest, KeepsWhatNoResultNeedsWhereThatMatters) {
  const Pass pass{"DropReluBesideTanh", "", &DropReluBesideTanh};
  CheckOptions options;
  options.first_groups = {{&pass}};
  FuzzCase fuzz_case;
  ASSERT_OK_AND_ASSIGN(fuzz_case.model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "unread" = Tanh(%0)
    %2 "y" = Relu(%0)
    %3 "z" = Abs(%0)
    %4 "out" = Result(%2)
    %5 "other" = Result(%3)
  })"));
  fuzz_case.samples = {{{ir::F32({2}, {-1, 2})}}};
  ASSERT_EQ(CheckCase(fuzz_case, options).verdict, Verdict::kWrong);
  const FuzzCase small = Shrink(fuzz_case, options);
  EXPECT_EQ(CheckCase(small, options).verdict, Verdict::kWrong);
  EXPECT_EQ(small.model->node_count(), 5) << *ir::PrintModel(*small.model);
}

TEST(ShrinkTest, LeavesARightCaseAsItIs) {
  const FuzzCase fuzz_case = MakeFuzzCase(1, 10, AllGrowers());
  const FuzzCase same = Shrink(fuzz_case);
  EXPECT_EQ(*ir::PrintModel(*same.model), *ir::PrintModel(*fuzz_case.model));
  EXPECT_EQ(FirstWrongRewrite(fuzz_case), "");
}

}  // namespace
}  // namespace burin::transformations

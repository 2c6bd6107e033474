#include "transformations/fuzz/case_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/fuzz/fuzz_case.h"
#include "transformations/pass.h"

namespace burin::transformations {
namespace {

using ir::Model;
using ir::NodeId;
using ir::Value;

// Wrong: Tanh(x) => Sigmoid(x).
absl::StatusOr<std::optional<ir::Patch>> TanhToSigmoid(const Model& model, NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kTanh) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace(Value{id, 0}, patch.Add(ir::SigmoidOp(), {node.input(0)}));
  return patch;
}

// Rounds otherwise: Tanh(x) => Tanh(x) * 1.0000000000000002.
absl::StatusOr<std::optional<ir::Patch>> TanhAndRound(const Model& model, NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kTanh || model.UsesOf(Value{id, 0}).size() != 1 ||
      model.node(model.UsesOf(Value{id, 0})[0].node).code() == ir::OpCode::kMultiply) {
    return std::nullopt;
  }
  ir::Patch patch(model);
  const Value tanh = patch.Add(ir::TanhOp(), {node.input(0)});
  patch.Replace(Value{id, 0}, patch.Add(ir::MultiplyOp(), {tanh, patch.AddConstant(ir::F64({}, {1 + 0x1p-52}))}));
  return patch;
}

absl::StatusOr<std::optional<ir::Patch>> Fails(const Model&, NodeId, const ir::PassContext&) {
  return absl::InternalError("planted");
}

CheckOptions With(const Pass& pass) {
  CheckOptions options;
  options.extra_groups = {{&pass}};
  return options;
}

FuzzCase CaseOf(FuzzMode mode, const char* text, std::vector<ir::Tensor> inputs) {
  FuzzCase fuzz_case;
  fuzz_case.mode = mode;
  absl::StatusOr<std::unique_ptr<Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  fuzz_case.model = *std::move(model);
  fuzz_case.samples = {{std::move(inputs)}};
  return fuzz_case;
}

constexpr char kTanh[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f64, shape = [2]}
  %1 "y" = Tanh(%0)
  %2 "out" = Result(%1)
})";

// Cuts where tanh(0) + 3 lies.
constexpr char kEdge[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f64, shape = [2]}
  %1 "t" = Tanh(%0)
  %2 "s" = Divide(%1, %1)
  %3 "f" = Floor(%2)
  %4 "out" = Result(%3)
})";

TEST(CaseCheckTest, FindsAWrongPass) {
  const Pass pass{"TanhToSigmoid", "", &TanhToSigmoid};
  for (const FuzzMode mode : {FuzzMode::kExact, FuzzMode::kRounding}) {
    const FuzzCase fuzz_case = CaseOf(mode, kTanh, {ir::F64({2}, {1, 2})});
    EXPECT_EQ(CheckCase(fuzz_case).verdict, Verdict::kSame);
    const CheckResult result = CheckCase(fuzz_case, With(pass));
    EXPECT_EQ(result.verdict, Verdict::kWrong);
    EXPECT_EQ(result.sample, 0);
    EXPECT_THAT(result.what, testing::HasSubstr("result 0 is"));
  }
}

TEST(CaseCheckTest, FindsAPassThatFails) {
  const Pass pass{"Fails", "", &Fails};
  const CheckResult result = CheckCase(CaseOf(FuzzMode::kExact, kTanh, {ir::F64({2}, {1, 2})}), With(pass));
  EXPECT_EQ(result.verdict, Verdict::kWrong);
  EXPECT_EQ(result.sample, -1);
  EXPECT_THAT(result.what, testing::HasSubstr("planted"));
}

TEST(CaseCheckTest, TellsRoundingFromErrors) {
  const Pass pass{"TanhAndRound", "", &TanhAndRound};
  EXPECT_EQ(CheckCase(CaseOf(FuzzMode::kRounding, kTanh, {ir::F64({2}, {1, 2})}), With(pass)).verdict, Verdict::kSame);
  EXPECT_EQ(CheckCase(CaseOf(FuzzMode::kExact, kTanh, {ir::F64({2}, {1, 2})}), With(pass)).verdict, Verdict::kWrong);
}

TEST(CaseCheckTest, TakesForSensitiveWhatLiesOnAnEdge) {
  FuzzCase fuzz_case = CaseOf(FuzzMode::kRounding, kEdge, {ir::F64({2}, {1, 2})});
  // Each reader of the Tanh rounds for itself, so that t / t need not be 1.
  const Pass down{
      "FloorOfLess", "", [](const Model& model, NodeId id, const ir::PassContext&) {
        const ir::Node& node = model.node(id);
        absl::StatusOr<std::optional<ir::Patch>> result = std::optional<ir::Patch>();
        if (node.code() != ir::OpCode::kFloor) return result;
        if (model.node(node.input(0).node).code() != ir::OpCode::kDivide) return result;
        ir::Patch patch(model);
        const Value less = patch.Add(ir::MultiplyOp(), {node.input(0), patch.AddConstant(ir::F64({}, {1 - 0x1p-53}))});
        patch.Replace(Value{id, 0}, patch.Add(ir::FloorOp(), {less}));
        result = std::optional<ir::Patch>(std::move(patch));
        return result;
      }};
  const CheckResult result = CheckCase(fuzz_case, With(down));
  EXPECT_EQ(result.verdict, Verdict::kSensitive) << result.what;
  EXPECT_THAT(result.what, testing::HasSubstr("result 0 is"));
}

TEST(CaseCheckTest, LeavesOutInputsThatTheModelRefuses) {
  const FuzzCase fuzz_case = CaseOf(FuzzMode::kExact, kTanh, {ir::F64({3}, {1, 2, 3})});
  EXPECT_EQ(CheckCase(fuzz_case).verdict, Verdict::kRefused);
}

}  // namespace
}  // namespace burin::transformations

#include "tools/bisect/reproducer.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "runtime/api/core.h"
#include "testing/gtest/status_matchers.h"
#include "tools/bisect/comparison.h"
#include "tools/bisect/search.h"
#include "transformations/pass.h"

namespace burin::bisect {
namespace {

using PatchOr = absl::StatusOr<std::optional<ir::Patch>>;

constexpr char kBefore[] = R"(model "whole" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "n" = Negative(%0)
  %2 "r" = Relu(%1) from("user's")
  %3 "s" = Add(%2, %0)
  %4 "out" = Result(%3)
})";

// Relu(x) => Abs(x): wrong for negative numbers.
PatchOr ReluToAbs(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (model.node(id).code() != ir::OpCode::kRelu) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, patch.Add(ir::AbsOp(), {model.node(id).input(0)}));
  return patch;
}

constexpr transformations::Pass kReluToAbs = {"ReluToAbs", "Relu(x) => Abs(x)", &ReluToAbs};

// Add(x, y) => Subtract(x, y) in the whole model alone.
PatchOr AddToSubtract(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (model.name() != "whole" || node.code() != ir::OpCode::kAdd) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, patch.Add(ir::SubtractOp(), {node.input(0), node.input(1)}));
  return patch;
}

PatchOr NeverFires(const ir::Model&, ir::NodeId, const ir::PassContext&) { return std::nullopt; }

constexpr transformations::Pass kAddToSubtract = {"AddToSubtract", "x + y => x - y", &AddToSubtract};
constexpr transformations::Pass kNeverFires = {"NeverFires", "nothing => nothing", &NeverFires};

// A finding as the search gives it.
Finding FindingOf(const transformations::Pass& pass) {
  Finding finding;
  finding.outcome = Outcome::kRewriteParts;
  finding.rewrites = 3;
  finding.rewrite = 2;
  finding.pass = &pass;
  finding.node_name = "r";
  finding.original_names = {"user's"};
  finding.how = "FAILED\n";
  finding.before = *ir::ParseModel(kBefore);
  finding.node = finding.before->FindNode("r");
  finding.after = finding.before->Clone();
  PatchOr patch = ReluToAbs(*finding.before, finding.node, {});
  EXPECT_OK(std::move(**patch).Apply(finding.after.get(), &finding.touched));
  return finding;
}

std::vector<ir::Tensor> Inputs() {
  ir::Tensor tensor = *ir::Tensor::Create(ElementType::kF32, {2});
  tensor.mutable_data_as<float>()[0] = 1;
  tensor.mutable_data_as<float>()[1] = -2;
  return {tensor};
}

BisectOptions OptionsWith(Core* core) {
  BisectOptions options;
  options.reference = RunOnDevice(core, "REFERENCE");
  options.candidate = options.reference;
  options.bound.relative = 1e-4;
  return options;
}

TEST(ReproducerTest, CutsTheNodesThatTheRewriteReplaced) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const Reproducer reproducer,
                       Reproduce(FindingOf(kReluToAbs), ir::PassContext(), Inputs(), OptionsWith(&core)));
  EXPECT_EQ(reproducer.model->node_count(), 3);
  EXPECT_FALSE(reproducer.is_whole);
  ASSERT_EQ(reproducer.inputs.size(), 1u);
  // What the Relu sees, not the model's input.
  EXPECT_EQ(reproducer.inputs[0].data_as<float>()[0], -1);
  EXPECT_EQ(reproducer.expected[0].data_as<float>()[0], 0);
  EXPECT_THAT(reproducer.how, testing::HasSubstr("FAILED"));
}

TEST(ReproducerTest, FallsBackToTheWholeModel) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const Reproducer reproducer,
                       Reproduce(FindingOf(kAddToSubtract), ir::PassContext(), Inputs(), OptionsWith(&core)));
  EXPECT_TRUE(reproducer.is_whole);
  EXPECT_EQ(reproducer.model->node_count(), 5);
}

TEST(ReproducerTest, SaysWhereThePassAloneShowsNothing) {
  Core core;
  EXPECT_THAT(Reproduce(FindingOf(kNeverFires), ir::PassContext(), Inputs(), OptionsWith(&core)).status(),
              StatusIs(absl::StatusCode::kNotFound, testing::HasSubstr("NeverFires")));
}

}  // namespace
}  // namespace burin::bisect

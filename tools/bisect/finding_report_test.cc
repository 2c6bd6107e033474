#include "tools/bisect/finding_report.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

TEST(FindingReportTest, TellsEachOutcome) {
  Finding finding;
  finding.rewrites = 4;
  EXPECT_EQ(Describe(finding), "Outputs hold after all 4 rewrites.\n");
  finding.outcome = Outcome::kDeviceParts;
  finding.how = "FAILED";
  EXPECT_THAT(Describe(finding), testing::HasSubstr("without any rewrite:\nFAILED"));
  finding.outcome = Outcome::kRewriteParts;
  finding.rewrite = 3;
  EXPECT_THAT(Describe(finding), testing::HasSubstr("Passes fail after rewrite 2:\nFAILED"));
}

TEST(FindingReportTest, ShowsTheNodesBeforeAndAfter) {
  const std::string text = Describe(FindingOf(kReluToAbs));
  EXPECT_THAT(text, testing::HasSubstr("rewrite 2 of 3: pass ReluToAbs (Relu(x) => Abs(x)) at node \"r\"\n"));
  EXPECT_THAT(text, testing::HasSubstr("The node stands for: user's\n"));
  EXPECT_THAT(text, testing::HasSubstr("* %2 \"r\" = Relu(%1)"));
  EXPECT_THAT(text, testing::HasSubstr("After:\n"));
  EXPECT_THAT(text, testing::HasSubstr("\"r\" = Abs(%1)"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("rounds")));
}

TEST(FindingReportTest, SaysThatAPassRounds) {
  transformations::Pass pass = kReluToAbs;
  pass.accuracy = transformations::Accuracy::kRounds;
  EXPECT_THAT(Describe(FindingOf(pass)), testing::HasSubstr("rounds by its nature"));
}

TEST(FindingReportTest, WritesTheReproducer) {
  Core core;
  const std::string folder = testing::TempDir() + "/found";
  const Finding finding = FindingOf(kReluToAbs);
  ASSERT_OK_AND_ASSIGN(const std::string said,
                       WriteReproducer(finding, ir::PassContext(), Inputs(), OptionsWith(&core), folder));
  EXPECT_THAT(said, testing::HasSubstr("Reproducer: 3 nodes; by pass ReluToAbs alone:\nFAILED"));
  EXPECT_THAT(said, testing::HasSubstr("Written: " + folder + "/reproducer.txt"));
  ASSERT_OK_AND_ASSIGN(const std::string silent,
                       WriteReproducer(finding, ir::PassContext(), Inputs(), OptionsWith(&core), ""));
  EXPECT_THAT(silent, testing::Not(testing::HasSubstr("Written")));
}

}  // namespace
}  // namespace burin::bisect

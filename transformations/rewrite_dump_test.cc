#include "transformations/rewrite_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/file.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/report.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

absl::StatusOr<std::optional<ir::Patch>> ReluToAbs(const ir::Model& model, ir::NodeId node, const ir::PassContext&) {
  if (model.node(node).code() != ir::OpCode::kRelu) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({node, 0}, patch.Add(ir::AbsOp(), {model.node(node).input(0)}));
  return patch;
}

constexpr Pass kReluToAbs = {"ReluToAbs", "relu => abs", &ReluToAbs, nullptr};
constexpr char kModel[] = R"(model "m" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "r" = Relu(%0)
  %2 "out" = Result(%1)
})";

TEST(RewriteDumpTest, WritesBothSidesOfARewrite) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kModel));
  PipelineOptions options;
  options.observer = DumpRewritesTo(::testing::TempDir());
  CompileReport report;
  const PassGroup groups[] = {{&kReluToAbs}};
  ASSERT_OK(RunPasses(model.get(), groups, {}, options, &report));
  ASSERT_OK_AND_ASSIGN(const std::string before, ReadFile(::testing::TempDir() + "/00001_ReluToAbs_before.txt"));
  EXPECT_THAT(before, HasSubstr("// Rewrite 1, pass ReluToAbs (relu => abs) at node 'r'"));
  EXPECT_THAT(before, HasSubstr("Relu(%0)"));
  ASSERT_OK_AND_ASSIGN(const std::string after, ReadFile(::testing::TempDir() + "/00001_ReluToAbs_after.txt"));
  EXPECT_THAT(after, HasSubstr("Abs(%0)"));
  EXPECT_THAT(after, Not(HasSubstr("Relu(")));
  EXPECT_OK(ir::ParseModel(after));
}

TEST(RewriteDumpTest, GoesOnWhereNothingCanBeWritten) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kModel));
  PipelineOptions options;
  options.observer = DumpRewritesTo("/nowhere/at/all");
  CompileReport report;
  const PassGroup groups[] = {{&kReluToAbs}};
  EXPECT_OK(RunPasses(model.get(), groups, {}, options, &report));
  EXPECT_EQ(report.rewrites, 1);
}

}  // namespace
}  // namespace burin::transformations

// The fuzzer's own run: random models of everything, optimised and compared.
#include "transformations/fuzz/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "transformations/pass.h"

namespace burin::transformations {
namespace {

TEST(CampaignTest, NoPassChangesWhatRandomModelsCompute) {
  CampaignOptions options;
  options.graphs = 2000;
  const CampaignReport report = RunCampaign(options);
  SCOPED_TRACE(report.ToString());
  EXPECT_TRUE(report.failures.empty());
  EXPECT_EQ(report.graphs, 2000);
  // What is refused or sensitive proves little; strange models mostly are refused.
  EXPECT_LT(report.refused, 160);
  EXPECT_LT(report.sensitive, 10);
  // A pass that seldom fires wants a motif, an operation or type that seldom appears a grower.
  for (const auto& [name, tally] : report.passes) {
    // They do what a device asks for, and nobody asks here: their own tests do.
    if (name == "ConvertPrecision" || name == "IntegerProducts") continue;
    EXPECT_GE(tally.graphs, 8) << name;
  }
  for (const auto& [name, count] : report.ops) EXPECT_GE(count, 4) << name;
  for (const auto& [name, count] : report.types) EXPECT_GE(count, 20) << name;
}

// Wrong: Relu(x) => x.
absl::StatusOr<std::optional<ir::Patch>> DropRelu(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (model.node(id).code() != ir::OpCode::kRelu) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace(ir::Value{id, 0}, model.node(id).input(0));
  return patch;
}

TEST(CampaignTest, FindsAPlantedPassAndSaysSo) {
  const Pass pass{"DropRelu", "", &DropRelu};
  CampaignOptions options;
  options.graphs = 500;
  options.max_shrunk = 2;
  options.check.extra_groups = {{&pass}};
  const CampaignReport report = RunCampaign(options);
  ASSERT_GE(report.failures.size(), 3u);
  EXPECT_EQ(report.same + report.refused + report.sensitive + static_cast<int64_t>(report.failures.size()), 500);
  const std::string text = report.ToString();
  EXPECT_THAT(text, testing::HasSubstr("DropRelu at Relu"));
  EXPECT_THAT(text, testing::HasSubstr("= Relu("));
  EXPECT_FALSE(report.failures[0].model.empty());
  EXPECT_TRUE(report.failures[2].model.empty());
  EXPECT_EQ(RunCampaign(options).ToString(), text);
}

}  // namespace
}  // namespace burin::transformations

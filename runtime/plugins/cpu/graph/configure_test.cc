#include "runtime/plugins/cpu/graph/configure.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;

TEST(ConfigureTest, TheStagesAreThese) {
  std::vector<std::string> names;
  for (const ConfigureStage& stage : ConfigureStages()) names.emplace_back(stage.name);
  EXPECT_THAT(names, ElementsAre("SortTopologically", "InitNodes", "ApplyCommonGraphOptimizations", "InitDescriptors",
                                 "InitOptimalPrimitiveDescriptors", "ResolveInplaceDirections", "ResolveEdgeConflicts",
                                 "ShareReorders", "ApplyImplSpecificGraphOptimizations", "SortTopologically"));
}

// One operation that is only there in channels last, between two that are row-major and read a third time.
TEST(ConfigureTest, TheyMakeAGraphThatCanRun) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 4, 2, 2]}
    %1 "exp" = Exp(%0)
    %2 "relu" = Relu(%1)
    %3 "abs" = Abs(%1)
    %4 "unread" = Abs(%1)
    %5 "y" = Result(%2)
    %6 "z" = Result(%3)
  })");
  ASSERT_OK(model.status());
  ConfigureContext context = FakeContext();
  context.make_node = [](const ir::Node& node, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    auto fake = std::make_shared<FakeNode>();
    const bool last = node.name() != "exp";
    fake->candidates = {{{last ? Layout::kChannelsLast : Layout::kRowMajor}, {Layout::kRowMajor}, 1}};
    return fake;
  };
  const absl::StatusOr<ConfiguredGraph> configured = ConfigureGraph(**model, context);
  ASSERT_OK(configured.status());
  EXPECT_THAT(StepNames(configured->graph()), ElementsAre("exp", "relu/reorder_0", "relu", "abs"));
}

}  // namespace
}  // namespace burin::cpu

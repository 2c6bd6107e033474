#include "runtime/plugins/cpu/nodes/reorder_node.h"

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

TEST(ReorderNodeTest, MovesTheChannels) {
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {1, 2, 1, 3}, Layout::kRowMajor}, {}});
  values.outputs.push_back({ElementType::kF32, {1, 2, 1, 3}, Layout::kChannelsLast});
  const ReorderNode node;
  const auto primitive = node.CreatePrimitive(values, HostContext(1));
  ASSERT_OK(primitive.status());
  const std::vector<float> input = {1, 2, 3, 4, 5, 6};
  std::vector<float> output(6);
  std::vector<const void*> in = {input.data()};
  std::vector<void*> out = {output.data()};
  executor::Team team(1, nullptr);
  RunErrors errors;
  (*primitive)->Execute({in, out, nullptr, &team, &errors});
  EXPECT_EQ(output, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(node.Candidates(values, HostContext(1))[0].outputs[0], Layout::kChannelsLast);
}

TEST(ReorderNodeTest, CostsMoreForMoreBytes) { EXPECT_LT(ReorderCycles(64), ReorderCycles(6400)); }

}  // namespace
}  // namespace burin::cpu

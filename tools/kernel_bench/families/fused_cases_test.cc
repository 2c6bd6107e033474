#include "tools/kernel_bench/families/fused_cases.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "ir/model.h"
#include "ir/shape.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

int64_t Count(const ir::Shape& shape) { return ir::ElementCount(shape).value(); }

TEST(FusedCasesTest, BodiesAndGraphsTakeTheSameOperands) {
  std::set<std::string> names;
  for (const FusedCase& fused : FusedCases()) {
    EXPECT_TRUE(names.insert(fused.name).second) << fused.name;
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, fused.Body());
    if (!fused.small_text.empty()) {
      EXPECT_OK(ir::ParseModel(fused.small_text)) << fused.name;
    }
    for (const PeerGraph& graph : fused.graphs) {
      ASSERT_EQ(graph.inputs.size(), body->parameters().size()) << fused.name;
      ASSERT_EQ(graph.outputs.size(), body->results().size()) << fused.name;
      for (size_t i = 0; i < graph.inputs.size(); ++i) {
        const ir::Node& parameter = body->node(body->parameters()[i]);
        EXPECT_EQ(graph.inputs[i].name, parameter.name()) << fused.name;
        EXPECT_EQ(Count(graph.inputs[i].dims), Count(parameter.output(0).shape.ToShape())) << fused.name;
      }
      for (size_t i = 0; i < graph.outputs.size(); ++i) {
        EXPECT_EQ(graph.outputs[i].name, body->node(body->results()[i]).name()) << fused.name;
      }
    }
  }
  EXPECT_EQ(names.count("chain30/128x3072"), 1);
}

TEST(FusedCasesTest, ChainsHaveAsManyOperationsAsTheySay) {
  for (const FusedCase& fused : FusedCases()) {
    if (fused.name != "chain10/128x3072") continue;
    EXPECT_EQ(fused.graphs.front().nodes.size(), 10);
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, fused.Body());
    // With a parameter, a result and the constants.
    EXPECT_EQ(body->node_count(), 10 + 2 + static_cast<int64_t>(fused.graphs.front().constants.size()));
  }
}

}  // namespace
}  // namespace burin::kernel_bench

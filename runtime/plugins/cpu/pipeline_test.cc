#include "runtime/plugins/cpu/pipeline.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "runtime/dev/configuration.h"
#include "runtime/plugins/cpu/config.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "snippets/anchor/anchored_body.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(PipelineTest, HasItsStagesInOrder) {
  std::vector<std::string> names;
  for (const CompilationStage& stage : CompilationStages()) names.emplace_back(stage.name);
  EXPECT_THAT(names, ElementsAre("UpToLpt", "CalculateStreams", "PostLpt", "Snippets"));
}

TEST(PipelineTest, MakesSubgraphsAndStreams) {
  const Configuration configuration = DefaultConfiguration("CPU");
  CompilationState state;
  state.configuration = &configuration;
  state.model = Mlp(ir::Dimension::Symbol("n"));
  ASSERT_OK(RunStages(state));
  EXPECT_THAT(state.streams.streams, Not(IsEmpty()));
  EXPECT_OK(ir::Verify(*state.model));
  // The products with what follows them, and the softmax.
  int subgraphs = 0;
  int anchored = 0;
  for (const ir::NodeId id : state.model->NodeIds()) {
    const ir::Node& node = state.model->node(id);
    EXPECT_NE(node.code(), ir::OpCode::kMatMul);
    EXPECT_NE(node.code(), ir::OpCode::kRelu);
    EXPECT_NE(node.code(), ir::OpCode::kSoftmax);
    if (node.code() != ir::OpCode::kSubgraph) continue;
    ++subgraphs;
    anchored += snippets::AnchorOf(*node.bodies()[0]) != nullptr ? 1 : 0;
  }
  EXPECT_EQ(subgraphs, 3);
  EXPECT_EQ(anchored, 2);
}

TEST(PipelineTest, ComputesNarrowFloatsInF32) {
  const Configuration configuration = DefaultConfiguration("CPU");
  CompilationState state;
  state.configuration = &configuration;
  state.plan_only = true;
  ASSERT_OK_AND_ASSIGN(state.model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [4, 2]}
    %1 "w" = Constant() {value = f16[2, 2]{1, 2, 3, 4}}
    %2 "p" = MatMul(%0, %1)
    %3 "y" = Result(%2)
  })"));
  ASSERT_OK(RunStages(state));
  int products = 0;
  for (const ir::NodeId id : state.model->NodeIds()) {
    const ir::Node& node = state.model->node(id);
    if (node.code() != ir::OpCode::kSubgraph) continue;
    const ir::Node* const product = snippets::AnchorOf(*node.bodies()[0]);
    if (product == nullptr) continue;
    ++products;
    EXPECT_EQ(product->output(0).type, ElementType::kF32);
    EXPECT_EQ(state.model->info(node.input(1)).constant.element_type(), ElementType::kF32);
  }
  EXPECT_EQ(products, 1);
  EXPECT_EQ(state.model->info({state.model->parameters()[0], 0}).type, ElementType::kF16);
}

TEST(PipelineTest, FusesAResidualSumOfUnknownSizes) {
  const Configuration configuration = DefaultConfiguration("CPU");
  CompilationState state;
  state.configuration = &configuration;
  state.plan_only = true;
  ASSERT_OK_AND_ASSIGN(state.model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, ?, 2]}
    %1 "w" = Constant() {value = f32[2, 2]{1, 2, 3, 4}}
    %2 "p" = MatMul(%0, %1)
    %3 "sum" = Add(%2, %0)
    %4 "y" = Result(%3)
  })"));
  ASSERT_OK(RunStages(state));
  int operations = 0;
  for (const ir::NodeId id : state.model->NodeIds()) operations += Computes(state.model->node(id)) ? 1 : 0;
  EXPECT_EQ(operations, 1);
}

TEST(PipelineTest, LeasesNothingForAPlan) {
  const Configuration configuration = DefaultConfiguration("CPU");
  CompilationState state;
  state.configuration = &configuration;
  state.plan_only = true;
  state.model = Mlp(3);
  ASSERT_OK(RunStages(state));
  EXPECT_THAT(state.streams.streams, IsEmpty());
}

TEST(PipelineTest, StopsAtTheFirstError) {
  Configuration configuration = DefaultConfiguration("CPU");
  // More streams than threads.
  ASSERT_OK(configuration.Apply({{"NUM_STREAMS", "2"}, {"INFERENCE_NUM_THREADS", "1"}}));
  CompilationState state;
  state.configuration = &configuration;
  state.model = Mlp(3);
  EXPECT_THAT(RunStages(state), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("INFERENCE_NUM_THREADS")));
  for (const ir::NodeId id : state.model->NodeIds()) {
    EXPECT_NE(state.model->node(id).code(), ir::OpCode::kSubgraph);
  }
}

}  // namespace
}  // namespace burin::cpu

#include "ir/forms/model_assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NodeSpec ParameterSpec(std::string name) {
  NodeSpec spec;
  spec.op = &ParameterOp();
  spec.name = std::move(name);
  return spec;
}

NodeId Id(int32_t id) { return static_cast<NodeId>(id); }

TEST(ModelAssemblerTest, KeepsIdsAndTheGivenOrder) {
  IdBudget budget(0);
  ModelAssembler assembler("m", 3, &budget);
  for (const int32_t id : {4, 2, 9}) ASSERT_OK(assembler.AddNode(Id(id), ParameterSpec("p" + std::to_string(id))));
  ModelAssembler::Order order;
  order.parameters = {Id(9), Id(4), Id(2)};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, std::move(assembler).Finish(std::move(order)));
  EXPECT_EQ(model->name(), "m");
  EXPECT_EQ(model->id_bound(), 10);
  EXPECT_THAT(model->parameters(), ElementsAre(Id(9), Id(4), Id(2)));
}

TEST(ModelAssemblerTest, RefusesAnOrderOfOtherNodes) {
  const std::vector<NodeId> kBad[] = {{}, {Id(0)}, {Id(0), Id(0)}, {Id(0), Id(2)}, {Id(0), Id(1), Id(1)}};
  for (const std::vector<NodeId>& bad : kBad) {
    IdBudget budget(0);
    ModelAssembler assembler("m", 2, &budget);
    ASSERT_OK(assembler.AddNode(Id(0), ParameterSpec("a")));
    ASSERT_OK(assembler.AddNode(Id(1), ParameterSpec("b")));
    ModelAssembler::Order order;
    order.parameters = bad;
    EXPECT_THAT(std::move(assembler).Finish(std::move(order)),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("parameters")));
  }
}

TEST(ModelAssemblerTest, RefusesNamesThatAreTaken) {
  IdBudget budget(0);
  ModelAssembler assembler("m", 2, &budget);
  ASSERT_OK(assembler.AddNode(Id(0), ParameterSpec("a")));
  EXPECT_THAT(assembler.AddNode(Id(1), ParameterSpec("a")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("same name: 'a'")));
}

TEST(ModelAssemblerTest, IdsAreBoundedByTheNumberOfNodesToCome) {
  constexpr int32_t kBound = 64 * (10 + 1024);
  IdBudget budget(1 << 20);
  ModelAssembler assembler("m", 10, &budget);
  EXPECT_OK(assembler.AddNode(Id(kBound), ParameterSpec("a")));
  EXPECT_THAT(assembler.AddNode(Id(kBound + 1), ParameterSpec("b")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(assembler.AddNode(Id(-1), ParameterSpec("b")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(assembler.AddNode(Id(kBound), ParameterSpec("b")), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ModelAssemblerTest, AllModelsOfAFileShareOneBudgetOfIds) {
  IdBudget budget(100);
  ModelAssembler first("first", 1, &budget);
  ModelAssembler second("second", 1, &budget);
  EXPECT_OK(first.AddNode(Id(60000), ParameterSpec("a")));
  EXPECT_THAT(second.AddNode(Id(60000), ParameterSpec("a")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("gaps")));
  EXPECT_OK(second.AddNode(Id(5000), ParameterSpec("a")));
}

}  // namespace
}  // namespace burin::ir

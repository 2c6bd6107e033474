#include "transformations/work_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;

std::vector<ir::NodeId> Drain(WorkList* work) {
  std::vector<ir::NodeId> nodes;
  while (!work->empty()) nodes.push_back(work->Pop());
  return nodes;
}

// x -> r1 -> r2 -> ... -> r8
struct Chain {
  Chain() {
    values.push_back(*model.AddParameter("x", ElementType::kF32, ir::PartialShape{2}));
    for (int i = 0; i < 8; ++i) values.push_back(*model.Add(ir::ReluOp(), {values.back()}));
  }
  ir::NodeId at(size_t i) const { return values[i].node; }
  ir::Model model;
  std::vector<ir::Value> values;
};

TEST(WorkListTest, KeepsTheOrderAndHoldsANodeOnce) {
  Chain chain;
  WorkList work(chain.model);
  work.Add(chain.at(3));
  work.Add(chain.at(1));
  work.Add(chain.at(3));
  EXPECT_THAT(Drain(&work), ElementsAre(chain.at(3), chain.at(1)));
  work.Add(chain.at(3));
  EXPECT_THAT(Drain(&work), ElementsAre(chain.at(3)));
}

TEST(WorkListTest, AddsReadersWithinReach) {
  Chain chain;
  WorkList work(chain.model);
  work.AddNear({chain.at(2)});
  EXPECT_THAT(Drain(&work), ElementsAre(chain.at(2), chain.at(3), chain.at(4), chain.at(5), chain.at(6)));
}

TEST(WorkListTest, LimitsTheReadersOfOneRewrite) {
  ir::Model model;
  const ir::Value x = *model.AddParameter("x", ElementType::kF32, ir::PartialShape{2});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(model.Add(ir::ReluOp(), {x}).ok());
  WorkList work(model);
  work.AddNear({x.node});
  EXPECT_LT(Drain(&work).size(), 100u);
  // The second time its readers are not even listed.
  work.AddNear({x.node});
  EXPECT_THAT(Drain(&work), ElementsAre(x.node));
}

}  // namespace
}  // namespace burin::transformations

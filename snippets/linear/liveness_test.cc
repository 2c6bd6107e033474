#include "snippets/linear/liveness.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

LinearBlock::Item Expr(LinearIr& ir, std::vector<ValueId> inputs, ValueId output) {
  LinearExpr expr;
  expr.inputs = std::move(inputs);
  expr.output = output;
  ir.exprs.push_back(std::move(expr));
  LinearBlock::Item item;
  item.expr = static_cast<int32_t>(ir.exprs.size()) - 1;
  return item;
}

TEST(LivenessTest, AUseInsideOfALoopIsOneByTheLoop) {
  LinearIr ir;
  ir.values.resize(3);
  ir.root = std::make_unique<LinearBlock>();
  ir.root->items.push_back(Expr(ir, {}, 0));
  auto loop = std::make_unique<LinearBlock>();
  loop->axis = 0;
  loop->parent = ir.root.get();
  loop->items.push_back(Expr(ir, {0}, 1));
  loop->items.push_back(Expr(ir, {0, 1}, 2));
  const LinearBlock* const inner = loop.get();
  ir.root->items.push_back({-1, std::move(loop)});
  ir.root->items.push_back(Expr(ir, {}, kNoValue));
  const Liveness liveness = Liveness::Of(ir);
  EXPECT_EQ(liveness.block[0], ir.root.get());
  EXPECT_EQ(liveness.last_item[0], 1);
  EXPECT_EQ(liveness.uses[0], 2);
  EXPECT_EQ(liveness.block[1], inner);
  EXPECT_EQ(liveness.last_item[1], 1);
  // Nothing uses it.
  EXPECT_EQ(liveness.last_item[2], 1);
  EXPECT_EQ(liveness.uses[2], 0);
}

}  // namespace
}  // namespace burin::snippets

#include "snippets/lowering/recompute_cost.h"

#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/ops.h"

namespace burin::snippets {
namespace {

TEST(RecomputeCostTest, OrdersOperationsByTheirInstructions) {
  const int add = RecomputeCost(ir::AddOp(), ElementType::kF32);
  const int divide = RecomputeCost(ir::DivideOp(), ElementType::kF32);
  const int exp = RecomputeCost(ir::ExpOp(), ElementType::kF32);
  EXPECT_LT(add, divide);
  EXPECT_LT(divide, exp);
}

TEST(RecomputeCostTest, IntegersHaveNoDivider) {
  EXPECT_GT(RecomputeCost(ir::DivideOp(), ElementType::kI32), RecomputeCost(ir::DivideOp(), ElementType::kF32));
}

}  // namespace
}  // namespace burin::snippets

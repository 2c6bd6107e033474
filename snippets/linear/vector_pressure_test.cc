#include "snippets/linear/vector_pressure.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "base/element_type.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

// Returns a kernel that loads two inputs that vary along the vector axis, adds them and stores the sum.
LinearIr Sum(int32_t block_vectors) {
  LinearIr ir;
  ir.axes = {{"a0", true}};
  ir.block_vectors = block_vectors;
  ir.operands = {{OperandKind::kInput, 0, ElementType::kF32, AxisBit(0), true},
                 {OperandKind::kInput, 1, ElementType::kF32, AxisBit(0), true},
                 {OperandKind::kOutput, 0, ElementType::kF32, AxisBit(0), true}};
  ir.values.assign(3, {ElementType::kF32, AxisBit(0)});
  ir.exprs.resize(4);
  ir.exprs[0].op = LinearOp::kLoad;
  ir.exprs[0].operand = 0;
  ir.exprs[0].output = 0;
  ir.exprs[1].op = LinearOp::kLoad;
  ir.exprs[1].operand = 1;
  ir.exprs[1].output = 1;
  ir.exprs[2].op = LinearOp::kCompute;
  ir.exprs[2].compute = &ir::AddOp();
  ir.exprs[2].inputs = {0, 1};
  ir.exprs[2].output = 2;
  ir.exprs[3].op = LinearOp::kStore;
  ir.exprs[3].operand = 2;
  ir.exprs[3].inputs = {2};
  ir.root = std::make_unique<LinearBlock>();
  for (int32_t i = 0; i < 4; ++i) {
    LinearBlock::Item item;
    item.expr = i;
    ir.root->items.push_back(std::move(item));
  }
  return ir;
}

TEST(VectorPressureTest, CountsVectorsOfValues) {
  // The sum takes the place of the first input.
  EXPECT_EQ(VectorPressure(Sum(5)), 10);
  EXPECT_EQ(VectorPressure(Sum(0)), 2);
}

}  // namespace
}  // namespace burin::snippets

#include "snippets/linear/linear_ir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

int32_t Add(LinearIr& ir, LinearBlock& block, LinearExpr expr) {
  ir.exprs.push_back(std::move(expr));
  LinearBlock::Item item;
  item.expr = static_cast<int32_t>(ir.exprs.size()) - 1;
  block.items.push_back(std::move(item));
  return item.expr;
}

LinearBlock& AddLoop(LinearBlock& block, int axis) {
  auto loop = std::make_unique<LinearBlock>();
  loop->axis = axis;
  loop->parent = &block;
  block.items.push_back({-1, std::move(loop)});
  return *block.items.back().block;
}

LinearExpr Access(LinearOp op, int32_t operand, ValueId value) {
  LinearExpr expr;
  expr.op = op;
  expr.operand = operand;
  if (op == LinearOp::kLoad) expr.output = value;
  if (op == LinearOp::kStore) expr.inputs = {value};
  return expr;
}

// Sums rows and stores the sums: for a0 { begin; for a1 { load; step }; end; store }.
LinearIr RowSums() {
  LinearIr ir;
  ir.axes = {{"n", true}, {"c", false}};
  ir.vector_axis = 1;
  ir.operands = {{OperandKind::kInput, 0, ElementType::kF32, 3, true},
                 {OperandKind::kOutput, 0, ElementType::kF32, 1, true}};
  ir.values = {{ElementType::kF32, 1}, {ElementType::kF32, 3}, {ElementType::kF32, 1}};
  ir.root = std::make_unique<LinearBlock>();
  LinearBlock& rows = AddLoop(*ir.root, 0);
  LinearExpr begin;
  begin.op = LinearOp::kBegin;
  begin.axes = AxisBit(1);
  begin.output = 0;
  Add(ir, rows, begin);
  LinearBlock& columns = AddLoop(rows, 1);
  Add(ir, columns, Access(LinearOp::kLoad, 0, 1));
  LinearExpr step = begin;
  step.op = LinearOp::kStep;
  step.output = kNoValue;
  step.inputs = {0, 1};
  Add(ir, columns, step);
  LinearExpr end = begin;
  end.op = LinearOp::kEnd;
  end.inputs = {0};
  end.output = 2;
  Add(ir, rows, end);
  Add(ir, rows, Access(LinearOp::kStore, 1, 2));
  return ir;
}

void ExpectBroken(const LinearIr& ir, const std::string& label) {
  EXPECT_THAT(ir.Verify(), StatusIs(absl::StatusCode::kInternal, HasSubstr(label + ":")));
}

TEST(LinearIrTest, PrintsLoopsAndExpressions) {
  const LinearIr ir = RowSums();
  EXPECT_OK(ir.Verify());
  EXPECT_EQ(ir.ToString(), R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
output0: f32 [a0]
for a0 {
  %0 f32[a0] = Begin(sum a1)
  for a1 by vectors {
    %1 f32[a0,a1] = Load(input0)
    Step(sum a1) %0, %1
  }
  %2 f32[a0] = End(sum a1) %0
  Store(output0) %2
}
)");
}

TEST(LinearIrTest, TellsOneExpression) {
  const LinearIr ir = RowSums();
  EXPECT_EQ(ir.ExprText(0), "%0 f32[a0] = Begin(sum a1)");
  EXPECT_EQ(ir.ExprText(4), "Store(output0) %2");
}

TEST(LinearIrTest, TellsOperandsOfOnePortApart) {
  LinearIr ir = RowSums();
  ir.operands.push_back(ir.operands[0]);
  ir.exprs[1].operand = 2;
  EXPECT_EQ(ir.ExprText(1), "%1 f32[a0,a1] = Load(input0.1)");
}

TEST(LinearIrTest, TextTellsOperationsApartAndNotNames) {
  LinearIr ir = RowSums();
  const std::string text = ir.ToString();
  ir.name = "other";
  ir.axes[0].name = "other";
  EXPECT_EQ(ir.ToString(), text);
  ir.exprs[2].reduction = Reduction::kMaximum;
  EXPECT_NE(ir.ToString(), text);
}

TEST(LinearIrTest, VerifiesThatEveryExpressionIsInTheTreeOnce) {
  LinearIr ir = RowSums();
  ir.exprs.emplace_back();
  ExpectBroken(ir, "L1");
  LinearIr twice = RowSums();
  LinearBlock::Item item;
  item.expr = 0;
  twice.root->items.push_back(std::move(item));
  ExpectBroken(twice, "L1");
}

TEST(LinearIrTest, VerifiesThatValuesAreDefinedBeforeTheirUses) {
  LinearIr ir = RowSums();
  std::swap(ir.root->items[0].block->items[2], ir.root->items[0].block->items[3]);
  ExpectBroken(ir, "L2");
}

TEST(LinearIrTest, VerifiesThatLoopsSurroundWhatVaries) {
  LinearIr ir = RowSums();
  ir.values[2].axes = 3;
  ExpectBroken(ir, "L3");
  LinearIr access = RowSums();
  access.operands[1].axes = 3;
  ExpectBroken(access, "L3");
}

TEST(LinearIrTest, VerifiesThatLoopsOverAnAxisDoNotNest) {
  LinearIr ir = RowSums();
  AddLoop(*ir.root->items[0].block, 0);
  ExpectBroken(ir, "L4");
}

TEST(LinearIrTest, VerifiesTheParenthesesOfReductions) {
  LinearIr ir = RowSums();
  ir.exprs[0].axes = 3;
  ExpectBroken(ir, "L5");
}

TEST(LinearIrTest, VerifiesThatOutputsAreStoredOnce) {
  LinearIr ir = RowSums();
  Add(ir, *ir.root->items[0].block, Access(LinearOp::kStore, 1, 2));
  ExpectBroken(ir, "L6");
}

TEST(LinearIrTest, VerifiesThatReducedAxesAreNotShared) {
  LinearIr ir = RowSums();
  ir.axes[1].parallel = true;
  ExpectBroken(ir, "L7");
}

}  // namespace
}  // namespace burin::snippets

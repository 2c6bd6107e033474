#include "snippets/codegen/expr_emitters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/wide/wide_function.h"
#include "snippets/linear/linear_ir.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

LinearExpr Compute(const ir::OpDef& op, std::vector<ValueId> inputs, ValueId output) {
  LinearExpr expr;
  expr.compute = &op;
  expr.attributes = op.make_attributes();
  expr.inputs = std::move(inputs);
  expr.output = output;
  return expr;
}

TEST(ExprEmittersTest, FindsOneForEachComputation) {
  LinearIr ir;
  ir.values.resize(3);
  LinearExpr constant;
  constant.op = LinearOp::kConstant;
  constant.output = 0;
  ir.exprs.push_back(constant);
  ir.exprs.push_back(Compute(ir::ExpOp(), {0}, 1));
  // Its second input is known: it is bound.
  ir.exprs.push_back(Compute(ir::SwishOp(), {1, 0}, 2));
  ASSERT_OK_AND_ASSIGN(const ExprEmitters emitters, FindExprEmitters(ir));
  ASSERT_EQ(emitters.size(), 3u);
  EXPECT_FALSE(emitters[0].has_value());
  EXPECT_EQ(std::get<jit::RowFunction>(*emitters[1]).inputs, 1);
  EXPECT_EQ(std::get<jit::RowFunction>(*emitters[2]).inputs, 1);
}

TEST(ExprEmittersTest, FindsThoseOfWideLanes) {
  LinearIr ir;
  ir.values.resize(3);
  ir.values[0].type = ElementType::kI64;
  ir.values[1].type = ElementType::kI64;
  ir.values[2].type = ElementType::kBoolean;
  ir.exprs.push_back(Compute(ir::LessOp(), {0, 1}, 2));
  ASSERT_OK_AND_ASSIGN(const ExprEmitters emitters, FindExprEmitters(ir));
  EXPECT_FALSE(std::get<jit::WideFunction>(*emitters[0]).output);
}

TEST(ExprEmittersTest, RefusesConversionsBetweenMemoryAndWideLanes) {
  for (const bool store : {false, true}) {
    LinearIr ir;
    ir.operands.resize(1);
    ir.operands[0].type = ElementType::kI64;
    ir.values.resize(1);
    ir.values[0].type = ElementType::kI32;
    LinearExpr access;
    access.op = store ? LinearOp::kStore : LinearOp::kLoad;
    access.operand = 0;
    if (store) access.inputs = {0};
    if (!store) access.output = 0;
    ir.exprs.push_back(access);
    EXPECT_THAT(FindExprEmitters(ir).status(), StatusIs(absl::StatusCode::kUnimplemented, ::testing::HasSubstr("i64")));
    ir.values[0].type = ElementType::kI64;
    EXPECT_OK(FindExprEmitters(ir).status());
  }
}

TEST(ExprEmittersTest, SaysWhatHasNone) {
  LinearIr ir;
  ir.values.resize(2);
  ir.values[0].type = ElementType::kF64;
  ir.exprs.push_back(Compute(ir::SinOp(), {0}, 1));
  EXPECT_THAT(FindExprEmitters(ir).status(), StatusIs(absl::StatusCode::kUnimplemented, ::testing::HasSubstr("f64")));
}

}  // namespace
}  // namespace burin::snippets

#include "snippets/codegen/expr_emitters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
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
  EXPECT_EQ(emitters[1]->inputs, 1);
  EXPECT_EQ(emitters[2]->inputs, 1);
}

TEST(ExprEmittersTest, SaysWhatHasNone) {
  LinearIr ir;
  ir.values.resize(2);
  ir.values[0].type = ElementType::kF64;
  ir.exprs.push_back(Compute(ir::ExpOp(), {0}, 1));
  EXPECT_THAT(FindExprEmitters(ir).status(), StatusIs(absl::StatusCode::kUnimplemented, ::testing::HasSubstr("f64")));
}

}  // namespace
}  // namespace burin::snippets

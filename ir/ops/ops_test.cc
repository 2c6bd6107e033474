#include "ir/ops/ops.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "ir/attributes.h"
#include "ir/op_def.h"

namespace burin::ir {
namespace {

TEST(OpsTest, EachOpIsDefinedUnderItsOwnCode) {
  ASSERT_EQ(AllOps().size(), static_cast<size_t>(kOpCount));
  for (size_t i = 0; i < AllOps().size(); ++i) {
    const OpDef& op = *AllOps()[i];
    EXPECT_EQ(static_cast<size_t>(op.code), i) << op.name;
    EXPECT_EQ(FindOp(op.name), &op);
  }
}

TEST(OpsTest, EachOpIsComplete) {
  for (const OpDef* op : AllOps()) {
    SCOPED_TRACE(op->name);
    EXPECT_NE(op->infer, nullptr);
    EXPECT_NE(op->reference, nullptr);
    EXPECT_GE(op->min_inputs, 0);
    EXPECT_TRUE(op->max_inputs < 0 || op->max_inputs >= op->min_inputs);
    const std::string opset = op->opset;
    EXPECT_TRUE(opset == "internal" || opset.rfind("opset", 0) == 0) << opset;
    EXPECT_EQ(op->make_attributes()->TypeTag(), op->make_attributes()->Clone()->TypeTag());
  }
}

TEST(OpsTest, FindsNothingUnderAnotherName) {
  EXPECT_EQ(FindOp(""), nullptr);
  EXPECT_EQ(FindOp("parameter"), nullptr);
  EXPECT_EQ(FindOp("Paramete"), nullptr);
  EXPECT_EQ(FindOp("Zzz"), nullptr);
  EXPECT_EQ(FindOp("Parameter"), &ParameterOp());
}

}  // namespace
}  // namespace burin::ir

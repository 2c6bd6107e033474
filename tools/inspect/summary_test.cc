#include "tools/inspect/summary.h"

#include <string>

#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::inspect {
namespace {

TEST(SummaryTest, CountsWhatThereIs) {
  ir::Model model("toy");
  ir::Value x = model.AddParameter("x", ElementType::kF32, ir::PartialShape({ir::Dimension::Symbol("n"), 2})).value();
  ir::Value w = model.AddConstant(ir::Tensor::CreateZeroed(ElementType::kF32, {2}).value(), "w").value();
  ir::Value a = model.Add(ir::AddOp(), {x, w}).value();
  ir::Value b = model.Add(ir::AddOp(), {a, w}).value();
  ir::Value c = model.Add(ir::ReluOp(), {b}).value();
  ASSERT_OK(model.AddResult(c, "y").status());
  EXPECT_EQ(Summarize(model),
            "model \"toy\"\n"
            "inputs\n"
            "  \"x\" f32[n,2]\n"
            "outputs\n"
            "  \"y\" f32[n,2]\n"
            "constants\n"
            "  1 with 8 bytes\n"
            "operations\n"
            "  3 of 2 kinds\n"
            "       2  Add\n"
            "       1  Relu\n");
}

}  // namespace
}  // namespace burin::inspect

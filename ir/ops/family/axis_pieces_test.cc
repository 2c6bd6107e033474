#include "ir/ops/family/axis_pieces.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

TEST(AxisPiecesTest, CopiesConsecutivePieces) {
  const NoAttributes attributes;
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  const std::vector<Tensor> inputs = {U8({2, 3}, {1, 2, 3, 4, 5, 6})};
  std::vector<Tensor> outputs = {U8({2, 1}, {0, 0}), U8({2, 2}, {0, 0, 0, 0})};
  const std::vector<ElementType> types(2, ElementType::kU8);
  ReferenceContext context(attributes, inputs, absl::MakeSpan(outputs), types, environment);
  ASSERT_OK(CopyPieces(context, 1));
  ExpectTensorEq(outputs[0], U8({2, 1}, {1, 4}));
  ExpectTensorEq(outputs[1], U8({2, 2}, {2, 3, 5, 6}));
}

TEST(AxisPiecesTest, PropagatesUpToThePieceOfUnknownLength) {
  const NoAttributes attributes;
  const ValueInfo info = Partial({1, Dimension::Symbol("n"), 3});
  const ValueInfo* input = &info;
  InferContext context(attributes, {&input, 1}, 3);
  context.SetOutput(0, ElementType::kI64, {2});
  context.SetOutput(1, ElementType::kI64, {Dimension()});
  context.SetOutput(2, ElementType::kI64, {1});
  PropagatePieces(context);
  EXPECT_EQ(context.output(0).content, (PartialValue{1, Dimension::Symbol("n")}));
  EXPECT_FALSE(context.output(1).content.has_value());
  EXPECT_FALSE(context.output(2).content.has_value());
}

}  // namespace
}  // namespace burin::ir

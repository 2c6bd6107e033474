#include "ir/ops/family/softmax_family.h"

#include <cmath>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/ops/softmax.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

// Makes an op of the family whose last step returns what it is given.
OpDef Probe(absl::Status (*reference)(ReferenceContext&)) {
  OpDef op(OpCode::kSoftmax, "Probe", "opset8");
  op.make_attributes = &MakeAttributes<SoftmaxAttributes>;
  op.infer = [](InferContext& context) {
    return InferSoftmaxFamily(context, "Probe", context.attributes<SoftmaxAttributes>().axis);
  };
  op.reference = reference;
  return op;
}

TEST(SoftmaxFamilyTest, HandsTheSumOfTheSliceToTheLastStep) {
  const OpDef op = Probe([](ReferenceContext& context) {
    return ReferenceSoftmaxFamily(context, context.attributes<SoftmaxAttributes>().axis,
                                  [](double, double sum) { return sum; });
  });
  SoftmaxAttributes attributes;
  attributes.axis = 1;
  const double sum = 1 + std::exp(-2.0) + std::exp(-5.0);
  ASSERT_OK_AND_ASSIGN(Tensor sums, Evaluate(op, attributes, {F32({1, 3, 2}, {1, 7, 3, 7, -2, 7})}));
  ExpectTensorNear(sums, F32({1, 3, 2}, {sum, 3, sum, 3, sum, 3}), 1e-6);
}

TEST(SoftmaxFamilyTest, HandsTheDistanceFromTheMaximumToTheLastStep) {
  const OpDef op = Probe([](ReferenceContext& context) {
    return ReferenceSoftmaxFamily(context, context.attributes<SoftmaxAttributes>().axis,
                                  [](double shifted, double) { return shifted; });
  });
  SoftmaxAttributes attributes;
  attributes.axis = -1;
  ASSERT_OK_AND_ASSIGN(Tensor shifted, Evaluate(op, attributes, {F32({2, 3}, {1, 3, -2, 1000, 1000, 999})}));
  ExpectTensorEq(shifted, F32({2, 3}, {-2, 0, -5, 0, 0, -1}));
}

TEST(SoftmaxFamilyTest, LabelsItsRefusalsWithTheOp) {
  const OpDef op = Probe(nullptr);
  SoftmaxAttributes attributes;
  attributes.axis = 2;
  const PartialShape shape({Dimension::Symbol("batch"), 5});
  EXPECT_THAT(InferOne(op, attributes, {Known(ElementType::kF32, shape)}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Probe_c2")));
  attributes.axis = 1;
  EXPECT_THAT(InferOne(op, attributes, {Known(ElementType::kI32, shape)}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Probe_c1")));
  ASSERT_OK_AND_ASSIGN(ValueInfo result, InferOne(op, attributes, {Known(ElementType::kBf16, shape)}));
  EXPECT_EQ(result.shape, shape);
  EXPECT_EQ(result.type, ElementType::kBf16);
}

}  // namespace
}  // namespace burin::ir

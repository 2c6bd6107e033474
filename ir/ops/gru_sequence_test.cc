#include "ir/ops/gru_sequence.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/recurrence.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

GRUSequenceAttributes Attributes(RecurrentDirection direction, bool linear_before_reset = false) {
  GRUSequenceAttributes attributes;
  attributes.hidden_size = 2;
  attributes.direction = direction;
  attributes.linear_before_reset = linear_before_reset;
  return attributes;
}

// Expected values follow the equations of ONNX's operator texts, evaluated with NumPy in double.
TEST(GRUSequenceTest, RunsForwardToEachLength) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(GRUSequenceOp(), Attributes(RecurrentDirection::kForward),
                  {F32({2, 3, 2}, {0.25, 0.5, 0.5, 1, -0.625, -0.125, -0.125, -0.375, -0.25, -0, 0.125, -0.5}),
                   F32({2, 1, 2}, {-0.75, -0.375, -0.75, -0.375}), I32({2}, {3, 2}),
                   F32({1, 6, 2}, {0.125, 0.25, 0.5, 0.25, 0.125, 0.25, -0.25, 0.5, 0.25, -0.375, -0.5, -0.875}),
                   F32({1, 6, 2}, {-0.25, -1, -0.625, -0.875, -0.5, -0.25, 0.125, 0.5, 0.25, -0.625, 0.75, 0.5}),
                   F32({1, 6}, {-0, 0.25, 0, -0.625, 0.25, 1})}));
  ExpectTensorNear(results[0],
                   F32({2, 1, 3, 2}, {-0.478199113, -0.292413626, -0.324382166, -0.313868439, -0.116591632, 0.156087625,
                                      -0.342080632, -0.0429135235, -0.108112961, 0.280987635, 0, 0}),
                   1e-5, 1e-6);
  ExpectTensorNear(results[1], F32({2, 1, 2}, {-0.116591632, 0.156087625, -0.108112961, 0.280987635}), 1e-5, 1e-6);
}

TEST(GRUSequenceTest, RunsInBothDirections) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(
          GRUSequenceOp(), Attributes(RecurrentDirection::kBidirectional),
          {F32({2, 3, 2}, {0.5, -0.625, -0.75, 0.875, 0.875, 0.5, 0.5, -0.75, 0.625, -0.625, -0.75, -0.125}),
           F32({2, 2, 2}, {-1, 0.75, -0.625, 0.5, 0.125, 0.5, 0.25, 0.875}), I32({2}, {2, 0}),
           F32({2, 6, 2}, {-0.125, -0.75, -0.625, 0.625, -0.25,  -0.625, 0.75,  0.125, 0.25,   0.75,   0.375, -0.5,
                           -1,     0.125, 0.375,  0.625, -0.625, 0.25,   0.875, -0.5,  -0.375, -0.125, 0.125, 1}),
           F32({2, 6, 2},
               {0.125,  0.75,   0.25,   -0,     -0.375, -0.25,  0.5,    -0.625, -0.75, -0.625, 0.375,  -0.25,
                -0.625, -0.375, -0.875, -0.125, 0.625,  -0.125, -0.125, -1,     -0.5,  -0.875, -0.875, 0.75}),
           F32({2, 6}, {0.375, 0.625, -0.75, -0.25, 0.875, -0.125, 0.875, 0.875, -1, -0.125, 0.125, -0.25})}));
  ExpectTensorNear(results[0],
                   F32({2, 2, 3, 2}, {-0.631431852,
                                      0.407249069,
                                      0.114032122,
                                      0.196659775,
                                      0,
                                      0,
                                      -0.383082783,
                                      0.26020555,
                                      -0.506752547,
                                      0.523763183,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0}),
                   1e-5, 1e-6);
  ExpectTensorNear(results[1],
                   F32({2, 2, 2}, {0.114032122, 0.196659775, -0.383082783, 0.26020555, 0.125, 0.5, 0.25, 0.875}), 1e-5,
                   1e-6);
}

TEST(GRUSequenceTest, ResetsAfterTheProductWhereAsked) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(GRUSequenceOp(), Attributes(RecurrentDirection::kReverse, true),
                  {F32({2, 3, 2}, {-0.25, -0.25, -0.5, -1, 0.5, 1, -0.875, 0.75, 0.125, -1, -0.875, 0}),
                   F32({2, 1, 2}, {-0.75, -0.375, -0.5, 1}), I32({2}, {3, 1}),
                   F32({1, 6, 2}, {0.5, -0.75, 0.75, -0.125, 0.625, 0.5, 0.25, 0.5, 0.625, -0.125, -0, -0.75}),
                   F32({1, 6, 2}, {-0.25, 0.75, -0.5, 0.5, 0.625, -0.625, 0.5, 0.375, 1, -0.25, 0.5, 0.75}),
                   F32({1, 8}, {-0.25, -0.5, -0.25, 0.25, -0.5, 0.75, -0.375, 0.5})}));
  ExpectTensorNear(results[0],
                   F32({2, 1, 3, 2}, {-0.718781123, 0.654778247, -0.724069411, 0.475498018, -0.730473936, -0.2289533,
                                      -0.72450702, 0.796819169, 0, 0, 0, 0}),
                   1e-5, 1e-6);
  ExpectTensorNear(results[1], F32({2, 1, 2}, {-0.718781123, 0.654778247, -0.72450702, 0.796819169}), 1e-5, 1e-6);
}

TEST(GRUSequenceTest, InfersSymbols) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension time = Dimension::Symbol("time");
  GRUSequenceAttributes attributes;
  attributes.hidden_size = 3;
  const absl::StatusOr<std::vector<ValueInfo>> result =
      Infer(GRUSequenceOp(), attributes,
            {Known(ElementType::kF32, {batch, time, 5}), Known(ElementType::kF32, {batch, 1, 3}),
             Known(ElementType::kI64, {batch}), Known(ElementType::kF32, PartialShape({1, 9, 5})),
             Known(ElementType::kF32, PartialShape({1, 9, 3})), Known(ElementType::kF32, PartialShape({1, 9}))});
  ASSERT_OK(result);
  EXPECT_EQ((*result)[0].shape, PartialShape({batch, 1, time, 3}));
  EXPECT_EQ((*result)[1].shape, PartialShape({batch, 1, 3}));
}

std::vector<Tensor> Ones() {
  return {F32({1, 2, 1}, {1, 1}),
          F32({1, 1, 1}, {0}),
          I64({1}, {2}),
          F32({1, 3, 1}, std::vector<double>(3, 1)),
          F32({1, 3, 1}, std::vector<double>(3, 1)),
          F32({1, 3}, std::vector<double>(3, 0))};
}

void ExpectError(const GRUSequenceAttributes& attributes, size_t input, const Tensor& value, const char* label) {
  std::vector<Tensor> inputs = Ones();
  inputs[input] = value;
  EXPECT_THAT(EvaluateAll(GRUSequenceOp(), attributes, inputs).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(GRUSequenceTest, RefusesWhatBreaksConstraints) {
  EXPECT_OK(EvaluateAll(GRUSequenceOp(), GRUSequenceAttributes(), Ones()));
  ExpectError({}, 1, F16({1, 1, 1}, {0}), "GRUSequence_c1");
  ExpectError({}, 2, F32({1}, {2}), "GRUSequence_c1");
  ExpectError({}, 1, F32({1, 2, 1}, {0, 0}), "GRUSequence_c2");
  ExpectError({}, 3, F32({1, 4, 1}, std::vector<double>(4, 1)), "GRUSequence_c2");
  ExpectError({}, 5, F32({1, 4}, std::vector<double>(4, 1)), "GRUSequence_c2");
  ExpectError({}, 2, I64({1}, {3}), "GRUSequence_c4");
  ExpectError({}, 2, I64({1}, {-1}), "GRUSequence_c4");
  GRUSequenceAttributes attributes;
  attributes.hidden_size = 0;
  ExpectError(attributes, 2, I64({1}, {2}), "GRUSequence_c3");
  attributes.hidden_size = 1;
  attributes.clip = -1;
  ExpectError(attributes, 2, I64({1}, {2}), "GRUSequence_c3");
  attributes.clip = 0;
  attributes.activations = {"tanh", "tanh", "tanh", "tanh"};
  ExpectError(attributes, 2, I64({1}, {2}), "GRUSequence_c3");
}

TEST(GRUSequenceTest, UnknownActivationsAreUnimplemented) {
  GRUSequenceAttributes attributes;
  attributes.activations.assign(2, "sine");
  EXPECT_THAT(EvaluateAll(GRUSequenceOp(), attributes, Ones()).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("sine")));
}

}  // namespace
}  // namespace burin::ir

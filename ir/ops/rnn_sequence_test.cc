#include "ir/ops/rnn_sequence.h"

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

RNNSequenceAttributes Attributes(RecurrentDirection direction) {
  RNNSequenceAttributes attributes;
  attributes.hidden_size = 2;
  attributes.direction = direction;
  return attributes;
}

// Expected values follow the equations of ONNX's operator texts, evaluated with NumPy in double.
TEST(RNNSequenceTest, RunsForwardToEachLength) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(
          RNNSequenceOp(), Attributes(RecurrentDirection::kForward),
          {F32({2, 3, 2}, {-0.375, 0, 0.75, -0, 0.25, -0.375, -0.125, -0.875, 0, -0.125, -0.375, -0.625}),
           F32({2, 1, 2}, {-0.375, -0.375, -0.25, 0.625}), I32({2}, {3, 2}), F32({1, 2, 2}, {0.125, 1, -0.75, 0.5}),
           F32({1, 2, 2}, {0.125, 0, 0.5, 0.625}), F32({1, 2}, {0.625, -0.25})}));
  ExpectTensorNear(results[0],
                   F32({2, 1, 3, 2}, {0.486336017, -0.37189891, 0.652443749, -0.665024472, 0.34768277, -0.613440035,
                                      -0.288450213, -0.316835001, 0.433292996, -0.574856931, 0, 0}),
                   1e-5, 1e-6);
  ExpectTensorNear(results[1], F32({2, 1, 2}, {0.34768277, -0.613440035, 0.433292996, -0.574856931}), 1e-5, 1e-6);
}

TEST(RNNSequenceTest, RunsInBothDirections) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(RNNSequenceOp(), Attributes(RecurrentDirection::kBidirectional),
                  {F32({2, 3, 2}, {-0.25, 0.25, -0.875, 0.625, 0.125, -0.125, 0.25, 0.875, 0.625, 0.25, -0.625, 1}),
                   F32({2, 2, 2}, {-0.25, 0.75, 0, 0.375, 0.75, -0.875, -0.375, -0.625}), I32({2}, {2, 3}),
                   F32({2, 2, 2}, {0.375, 0.625, -0.5, -0.625, -0.125, 0.75, 0.875, -0.625}),
                   F32({2, 2, 2}, {0.375, -0.125, 0.75, -0.375, -0.5, -1, 0.75, -0.625}),
                   F32({2, 2}, {-0.5, -0.5, 0.875, -0.875})}));
  ExpectTensorNear(results[0],
                   F32({2, 2, 3, 2}, {-0.554599722,
                                      -0.761594156,
                                      -0.500726759,
                                      -0.525187979,
                                      0,
                                      0,
                                      0.932365842,
                                      -0.0439103247,
                                      0.792502746,
                                      -0.978694978,
                                      0,
                                      0,
                                      0.486336017,
                                      -0.274061589,
                                      0.106849272,
                                      -0.463079925,
                                      -0.0114210357,
                                      -0.507018248,
                                      0.343639813,
                                      -0.74651032,
                                      0.89573213,
                                      0.693920043,
                                      0.987023461,
                                      -0.959335293}),
                   1e-5, 1e-6);
  ExpectTensorNear(results[1],
                   F32({2, 2, 2}, {-0.500726759, -0.525187979, 0.932365842, -0.0439103247, -0.0114210357, -0.507018248,
                                   0.343639813, -0.74651032}),
                   1e-5, 1e-6);
}

TEST(RNNSequenceTest, TakesOtherActivationsAndClips) {
  RNNSequenceAttributes attributes;
  attributes.activations = {"relu"};
  attributes.clip = 5;
  // 1, 1 + 1, then 9 clipped to 5.
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results,
                       EvaluateAll(RNNSequenceOp(), attributes,
                                   {F32({1, 4, 1}, {1, 1, 7, -9}), F32({1, 1, 1}, {0}), I64({1}, {4}),
                                    F32({1, 1, 1}, {1}), F32({1, 1, 1}, {1}), F32({1, 1}, {0})}));
  ExpectTensorEq(results[0], F32({1, 1, 4, 1}, {1, 2, 5, 0}));
  ExpectTensorEq(results[1], F32({1, 1, 1}, {0}));
}

TEST(RNNSequenceTest, InfersSymbols) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension time = Dimension::Symbol("time");
  RNNSequenceAttributes attributes;
  attributes.hidden_size = 3;
  const absl::StatusOr<std::vector<ValueInfo>> result =
      Infer(RNNSequenceOp(), attributes,
            {Known(ElementType::kF32, {batch, time, 5}), Known(ElementType::kF32, {batch, 1, 3}),
             Known(ElementType::kI64, {batch}), Known(ElementType::kF32, PartialShape({1, 3, 5})),
             Known(ElementType::kF32, PartialShape({1, 3, 3})), Known(ElementType::kF32, PartialShape({1, 3}))});
  ASSERT_OK(result);
  EXPECT_EQ((*result)[0].shape, PartialShape({batch, 1, time, 3}));
  EXPECT_EQ((*result)[1].shape, PartialShape({batch, 1, 3}));
}

std::vector<Tensor> Ones() {
  return {F32({1, 2, 1}, {1, 1}),
          F32({1, 1, 1}, {0}),
          I64({1}, {2}),
          F32({1, 1, 1}, std::vector<double>(1, 1)),
          F32({1, 1, 1}, std::vector<double>(1, 1)),
          F32({1, 1}, std::vector<double>(1, 0))};
}

void ExpectError(const RNNSequenceAttributes& attributes, size_t input, const Tensor& value, const char* label) {
  std::vector<Tensor> inputs = Ones();
  inputs[input] = value;
  EXPECT_THAT(EvaluateAll(RNNSequenceOp(), attributes, inputs).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(RNNSequenceTest, RefusesWhatBreaksConstraints) {
  EXPECT_OK(EvaluateAll(RNNSequenceOp(), RNNSequenceAttributes(), Ones()));
  ExpectError({}, 1, F16({1, 1, 1}, {0}), "RNNSequence_c1");
  ExpectError({}, 2, F32({1}, {2}), "RNNSequence_c1");
  ExpectError({}, 1, F32({1, 2, 1}, {0, 0}), "RNNSequence_c2");
  ExpectError({}, 3, F32({1, 2, 1}, std::vector<double>(2, 1)), "RNNSequence_c2");
  ExpectError({}, 5, F32({1, 2}, std::vector<double>(2, 1)), "RNNSequence_c2");
  ExpectError({}, 2, I64({1}, {3}), "RNNSequence_c4");
  ExpectError({}, 2, I64({1}, {-1}), "RNNSequence_c4");
  RNNSequenceAttributes attributes;
  attributes.hidden_size = 0;
  ExpectError(attributes, 2, I64({1}, {2}), "RNNSequence_c3");
  attributes.hidden_size = 1;
  attributes.clip = -1;
  ExpectError(attributes, 2, I64({1}, {2}), "RNNSequence_c3");
  attributes.clip = 0;
  attributes.activations = {"tanh", "tanh", "tanh", "tanh"};
  ExpectError(attributes, 2, I64({1}, {2}), "RNNSequence_c3");
}

TEST(RNNSequenceTest, UnknownActivationsAreUnimplemented) {
  RNNSequenceAttributes attributes;
  attributes.activations.assign(1, "sine");
  EXPECT_THAT(EvaluateAll(RNNSequenceOp(), attributes, Ones()).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("sine")));
}

}  // namespace
}  // namespace burin::ir

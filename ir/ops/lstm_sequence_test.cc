#include "ir/ops/lstm_sequence.h"

#include <cmath>
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

LSTMSequenceAttributes Attributes(RecurrentDirection direction) {
  LSTMSequenceAttributes attributes;
  attributes.hidden_size = 2;
  attributes.direction = direction;
  return attributes;
}

// Expected values follow the equations of ONNX's operator texts, evaluated with NumPy in double.
TEST(LSTMSequenceTest, RunsForwardToEachLength) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(LSTMSequenceOp(), Attributes(RecurrentDirection::kForward),
                  {F32({2, 3, 2}, {-0.5, 0.75, -0.625, 0.875, -0, 0.25, 0.5, 0, -0.375, -0.625, -0.875, 0.5}),
                   F32({2, 1, 2}, {-0.125, -0.625, 0.75, -0.5}), F32({2, 1, 2}, {-0.125, -0.375, 0.25, 0.125}),
                   I32({2}, {3, 2}),
                   F32({1, 8, 2}, {0.25, -0.5, -0.375, -0.5, -0.375, -0.75, -0.625, 0.875, 0.875, -0.625, -1, -0.625,
                                   0.375, 0.5, -1, 0.125}),
                   F32({1, 8, 2}, {-1, 0, 0.25, 1, -0.5, 0.625, 0.75, 0.875, -1, -0, 1, -0.25, 0.625, 0.125, 0.5, -0}),
                   F32({1, 8}, {-1, -0.875, -0.75, -0.5, 0.875, 0.25, 0.625, 0.125})}));
  ExpectTensorNear(results[0],
                   F32({2, 1, 3, 2}, {-0.00494522926, 0.0534559592, -0.0365181209, 0.153377573, 0.121785445,
                                      0.039926493, 0.0959845056, 0.103861203, 0.193049394, 0.213972065, 0, 0}),
                   1e-5, 1e-6);
  ExpectTensorNear(results[1], F32({2, 1, 2}, {0.121785445, 0.039926493, 0.193049394, 0.213972065}), 1e-5, 1e-6);
  ExpectTensorNear(results[2], F32({2, 1, 2}, {0.181490037, 0.0748461731, 0.358818606, 0.362851055}), 1e-5, 1e-6);
}

TEST(LSTMSequenceTest, RunsBackward) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(LSTMSequenceOp(), Attributes(RecurrentDirection::kReverse),
                  {F32({2, 3, 2}, {-0.5, 0.75, -0.625, 0.875, -0, 0.25, 0.5, 0, -0.375, -0.625, -0.875, 0.5}),
                   F32({2, 1, 2}, {-0.125, -0.625, 0.75, -0.5}), F32({2, 1, 2}, {-0.125, -0.375, 0.25, 0.125}),
                   I32({2}, {3, 2}),
                   F32({1, 8, 2}, {0.25, -0.5, -0.375, -0.5, -0.375, -0.75, -0.625, 0.875, 0.875, -0.625, -1, -0.625,
                                   0.375, 0.5, -1, 0.125}),
                   F32({1, 8, 2}, {-1, 0, 0.25, 1, -0.5, 0.625, 0.75, 0.875, -1, -0, 1, -0.25, 0.625, 0.125, 0.5, -0}),
                   F32({1, 8}, {-1, -0.875, -0.75, -0.5, 0.875, 0.25, 0.625, 0.125})}));
  ExpectTensorNear(results[0],
                   F32({2, 1, 3, 2}, {-0.00575149096, 0.133982532, -0.0328895884, 0.175051406, 0.0754777487,
                                      -0.0129320694, 0.197860625, 0.00972065306, 0.0643593675, 0.238082687, 0, 0}),
                   1e-5, 1e-6);
  ExpectTensorNear(results[1], F32({2, 1, 2}, {-0.00575149096, 0.133982532, 0.197860625, 0.00972065306}), 1e-5, 1e-6);
  ExpectTensorNear(results[2], F32({2, 1, 2}, {-0.00830050969, 0.203110802, 0.287384948, 0.0234205139}), 1e-5, 1e-6);
}

TEST(LSTMSequenceTest, RunsInBothDirections) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      EvaluateAll(
          LSTMSequenceOp(), Attributes(RecurrentDirection::kBidirectional),
          {F32({2, 3, 2}, {0.25, 0.625, 0.875, 0.875, 0.625, -0.75, -0.25, -0.875, 0.125, 0.625, -0.875, -0.625}),
           F32({2, 2, 2}, {-0.25, -0.5, 0.625, -0.25, 0.25, -0, 0.125, 0.875}),
           F32({2, 2, 2}, {0.875, -0.75, 0.625, -0.25, -0.75, -0.25, 0, 0.875}), I32({2}, {2, 0}),
           F32({2, 8, 2}, {-0.25,  -1,   0.75,   -0.75,  -0,     0.75,   0,     -0.125, 0.625, -1,    0.125,
                           -0.125, 1,    0.625,  -0.875, -0.625, -0.125, 0.375, -0.375, -0.25, 0.875, 0.875,
                           -0.125, 0.75, -0.375, -0.875, 0,      0.375,  0.75,  0.875,  0.5,   0.5}),
           F32({2, 8, 2}, {0.375,  0.375, 0.5,    1,      -0.25, -0.875, -0.5,  -0.5,   -0.25,  0.625, -0.875,
                           -0.125, 0.625, -0.5,   -0.875, -0.5,  -0.875, 0.625, -0.625, -0.625, 0.625, 0.625,
                           0.125,  0.875, -0.875, 0.875,  0.125, -0.375, 0.625, 0.375,  1,      -0.75}),
           F32({2, 8},
               {0.125, -0, 0.25, -0.5, -1, 0.125, -0.25, 0.75, -0.125, -0.125, 0.25, 0, 0.875, 0.625, -0, -0.625})}));
  ExpectTensorNear(results[0],
                   F32({2, 2, 3, 2}, {-0.266437666,
                                      -0.0394258781,
                                      -0.465258696,
                                      0.0451455209,
                                      0,
                                      0,
                                      0.12662053,
                                      0.164536321,
                                      -0.355010062,
                                      0.2910892,
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
                   F32({2, 2, 2}, {-0.465258696, 0.0451455209, 0.12662053, 0.164536321, 0.25, -0, 0.125, 0.875}), 1e-5,
                   1e-6);
  ExpectTensorNear(results[2],
                   F32({2, 2, 2}, {-0.745040937, 0.107084215, 0.197137613, 0.571761134, -0.75, -0.25, 0, 0.875}), 1e-5,
                   1e-6);
}

// With weights of 1 and x = 1 every gate gets 1 + h; a clip of 0.5 makes that 0.5.
TEST(LSTMSequenceTest, ClipsWhatEntersActivations) {
  LSTMSequenceAttributes attributes;
  attributes.clip = 0.5;
  const std::vector<double> ones(4, 1);
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results,
                       EvaluateAll(LSTMSequenceOp(), attributes,
                                   {F32({1, 1, 1}, {1}), F32({1, 1, 1}, {0}), F32({1, 1, 1}, {4}), I64({1}, {1}),
                                    F32({1, 4, 1}, ones), F32({1, 4, 1}, ones), F32({1, 4}, {0, 0, 0, 0})}));
  const double gate = 1 / (1 + std::exp(-0.5));
  const double cell = gate * 4 + gate * std::tanh(0.5);  // Not clipped itself.
  ExpectTensorNear(results[2], F32({1, 1, 1}, {cell}), 1e-6);
  ExpectTensorNear(results[1], F32({1, 1, 1}, {gate * std::tanh(cell)}), 1e-6);
}

TEST(LSTMSequenceTest, InfersSymbols) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension time = Dimension::Symbol("time");
  LSTMSequenceAttributes attributes;
  attributes.hidden_size = 3;
  const absl::StatusOr<std::vector<ValueInfo>> result =
      Infer(LSTMSequenceOp(), attributes,
            {Known(ElementType::kF32, {batch, time, 5}), Known(ElementType::kF32, {batch, 1, 3}),
             Known(ElementType::kF32, {batch, 1, 3}), Known(ElementType::kI64, {batch}),
             Known(ElementType::kF32, PartialShape({1, 12, 5})), Known(ElementType::kF32, PartialShape({1, 12, 3})),
             Known(ElementType::kF32, PartialShape({1, 12}))});
  ASSERT_OK(result);
  EXPECT_EQ((*result)[0].shape, PartialShape({batch, 1, time, 3}));
  EXPECT_EQ((*result)[1].shape, PartialShape({batch, 1, 3}));
  EXPECT_EQ((*result)[2].shape, PartialShape({batch, 1, 3}));
}

std::vector<Tensor> Ones() {
  return {F32({1, 2, 1}, {1, 1}),
          F32({1, 1, 1}, {0}),
          F32({1, 1, 1}, {0}),
          I64({1}, {2}),
          F32({1, 4, 1}, std::vector<double>(4, 1)),
          F32({1, 4, 1}, std::vector<double>(4, 1)),
          F32({1, 4}, std::vector<double>(4, 0))};
}

void ExpectError(const LSTMSequenceAttributes& attributes, size_t input, const Tensor& value, const char* label) {
  std::vector<Tensor> inputs = Ones();
  inputs[input] = value;
  EXPECT_THAT(EvaluateAll(LSTMSequenceOp(), attributes, inputs).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(LSTMSequenceTest, RefusesWhatBreaksConstraints) {
  EXPECT_OK(EvaluateAll(LSTMSequenceOp(), LSTMSequenceAttributes(), Ones()));
  ExpectError({}, 1, F16({1, 1, 1}, {0}), "LSTMSequence_c1");
  ExpectError({}, 3, F32({1}, {2}), "LSTMSequence_c1");
  ExpectError({}, 1, F32({1, 2, 1}, {0, 0}), "LSTMSequence_c2");
  ExpectError({}, 4, F32({1, 5, 1}, std::vector<double>(5, 1)), "LSTMSequence_c2");
  ExpectError({}, 6, F32({1, 5}, std::vector<double>(5, 1)), "LSTMSequence_c2");
  ExpectError({}, 3, I64({1}, {3}), "LSTMSequence_c4");
  ExpectError({}, 3, I64({1}, {-1}), "LSTMSequence_c4");
  LSTMSequenceAttributes attributes;
  attributes.hidden_size = 0;
  ExpectError(attributes, 3, I64({1}, {2}), "LSTMSequence_c3");
  attributes.hidden_size = 1;
  attributes.clip = -1;
  ExpectError(attributes, 3, I64({1}, {2}), "LSTMSequence_c3");
  attributes.clip = 0;
  attributes.activations = {"tanh", "tanh", "tanh", "tanh"};
  ExpectError(attributes, 3, I64({1}, {2}), "LSTMSequence_c3");
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Zero weights, so that the gates see biases and the cell state alone.
std::vector<Tensor> Peepholes() {
  return {F32({1, 2, 1}, {1, 1}),
          F32({1, 1, 1}, {0}),
          F32({1, 1, 1}, {0.5}),
          I64({1}, {2}),
          F32({1, 4, 1}, {0, 0, 0, 0}),
          F32({1, 4, 1}, {0, 0, 0, 0}),
          F32({1, 4}, {0.1, 0.2, 0.3, 0.4}),
          F32({1, 3}, {1, 2, 3})};
}

TEST(LSTMSequenceTest, GatesSeeTheCellStateThroughPeepholes) {
  for (const bool coupled : {false, true}) {
    LSTMSequenceAttributes attributes;
    attributes.input_forget = coupled;
    ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, EvaluateAll(LSTMSequenceOp(), attributes, Peepholes()));
    double cell = 0.5;
    double hidden = 0;
    for (int step = 0; step < 2; ++step) {
      const double input = Sigmoid(0.2 + 2 * cell);
      const double forget = coupled ? 1 - input : Sigmoid(0.1 + 1 * cell);
      cell = forget * cell + input * std::tanh(0.3);
      hidden = Sigmoid(0.4 + 3 * cell) * std::tanh(cell);
    }
    ExpectTensorNear(results[1], F32({1, 1, 1}, {hidden}), 1e-6);
    ExpectTensorNear(results[2], F32({1, 1, 1}, {cell}), 1e-6);
  }
  std::vector<Tensor> inputs = Peepholes();
  inputs[7] = F32({1, 4}, {1, 2, 3, 4});
  EXPECT_THAT(EvaluateAll(LSTMSequenceOp(), LSTMSequenceAttributes(), inputs).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("LSTMSequence_c2")));
}

TEST(LSTMSequenceTest, UnknownActivationsAreUnimplemented) {
  LSTMSequenceAttributes attributes;
  attributes.activations.assign(3, "sine");
  EXPECT_THAT(EvaluateAll(LSTMSequenceOp(), attributes, Ones()).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("sine")));
}

}  // namespace
}  // namespace burin::ir

#include "tools/models/encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/element_type.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/ir_builder.h"
#include "tools/models/layers.h"

namespace burin::models {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kTokens = 3;
constexpr int64_t kHidden = 4;

// Returns the attention of f32[1, kTokens, kHidden] as a model; with a bias, that is an input f32[kTokens].
std::unique_ptr<ir::Model> MakeAttention(bool with_bias) {
  IrBuilder builder("attention");
  Layers layers(&builder, 1);
  const Value x = builder.Input("x", ElementType::kF32, {1, kTokens, kHidden});
  std::optional<Value> bias;
  if (with_bias) bias = builder.Input("bias", ElementType::kF32, {kTokens});
  builder.Output(SelfAttention(layers, x, kHidden, 2, bias), "y", ElementType::kF32, {1, kTokens, kHidden});
  absl::StatusOr<std::unique_ptr<ir::Model>> model = builder.Finish();
  EXPECT_OK(model);
  return *std::move(model);
}

std::vector<float> Evaluate(const ir::Model& model, const std::vector<std::vector<float>>& inputs) {
  std::vector<ir::Tensor> tensors;
  for (const std::vector<float>& values : inputs) {
    const size_t input = tensors.size();
    absl::StatusOr<ir::Tensor> tensor =
        ir::Tensor::Create(ElementType::kF32, model.node(model.parameters()[input]).output(0).shape.ToShape());
    EXPECT_OK(tensor);
    std::copy(values.begin(), values.end(), tensor->mutable_data_as<float>());
    tensors.push_back(*std::move(tensor));
  }
  absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(model);
  EXPECT_OK(evaluator);
  absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator->Run(tensors);
  EXPECT_OK(outputs);
  const float* data = outputs->front().data_as<float>();
  return std::vector<float>(data, data + outputs->front().element_count());
}

// The attention has no notion of order: swapping tokens swaps the outputs.
TEST(EncoderTest, AttentionFollowsThePermutationOfTokens) {
  const std::unique_ptr<ir::Model> model = MakeAttention(false);
  const std::vector<float> y = Evaluate(*model, {{1, 2, 3, 4, -1, 0, 1, 2, 5, -3, 2, 0}});
  const std::vector<float> swapped = Evaluate(*model, {{-1, 0, 1, 2, 1, 2, 3, 4, 5, -3, 2, 0}});
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(y[i], swapped[4 + i], 1e-5);
    EXPECT_NEAR(y[4 + i], swapped[i], 1e-5);
    EXPECT_NEAR(y[8 + i], swapped[8 + i], 1e-5);
  }
}

// A bias far below 0 hides the token, so that its value does not matter to the others.
TEST(EncoderTest, BiasHidesATokenFromTheOthers) {
  const std::unique_ptr<ir::Model> model = MakeAttention(true);
  const std::vector<float> bias = {0, 0, -10000};
  const std::vector<float> y = Evaluate(*model, {{1, 2, 3, 4, -1, 0, 1, 2, 5, -3, 2, 0}, bias});
  const std::vector<float> changed = Evaluate(*model, {{1, 2, 3, 4, -1, 0, 1, 2, 9, 9, -9, 1}, bias});
  const std::vector<float> visible = Evaluate(*model, {{1, 2, 3, 4, -1, 0, 1, 2, 9, 9, -9, 1}, {0, 0, 0}});
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(y[i], changed[i]) << i;
  EXPECT_NE(y[0], visible[0]);
}

TEST(EncoderTest, HeadsMustDivideTheWidth) {
  EXPECT_OK(CheckHeads(12, 3));
  EXPECT_THAT(CheckHeads(12, 5), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("heads=5, hidden=12")));
}

}  // namespace
}  // namespace burin::models
